import { parseArgs } from "node:util";
import {
  missingArgument,
  missingValue,
  optionWithoutCommand,
  unknownOption,
  unwantedArgument,
  unwantedValue,
  wrongChoice,
  wrongNumber,
} from "../../commons/cli/errors.ts";
import type { Arguments, Option, Options, Signature } from "../../kernel/definitions/command.ts";

type Value = string | number | boolean | string[] | undefined;
type Values = Record<string, Value>;
type Token = NonNullable<ReturnType<typeof tokenise>>[number];

/** Not strict: Forge has its own messages. An optional value is a positional to `parseArgs`; see `takesNext`. */
function tokenise(args: string[], options: Options) {
  const config = Object.entries(options).map(([name, option]) => {
    const type: "boolean" | "string" = option.type === "boolean" || option.optionalValue ? "boolean" : "string";
    return [name, { type, ...(option.short !== undefined && { short: option.short }) }] as const;
  });
  return parseArgs({ args, options: Object.fromEntries(config), strict: false, allowPositionals: true, tokens: true })
    .tokens;
}

function optionNamed(options: Options, name: string): Option | undefined {
  return Object.hasOwn(options, name) ? options[name] : undefined;
}

/** The options every command has, before it is known which command it is. Wrong ones are left for `parseArguments`. */
export function readCommonOptions(args: string[], commonOptions: Options): Values {
  const values: Values = {};
  for (const token of tokenise(args, commonOptions)) {
    if (token.kind !== "option") continue;
    const option = optionNamed(commonOptions, token.name);
    if (option) values[token.name] = option.type === "boolean" ? token.value !== "false" : token.value;
  }
  return values;
}

type Found = { name: string | undefined; rest: string[] };

type Known = {
  commonOptions: Options;
  /** The word where none is named and no help is asked for. */
  fallback: string | undefined;
  /** The options of every command: before the command's name, only they tell an option's value from the name. */
  all(): Promise<Options>;
};

/** The first word among the arguments that is neither an option nor its value, known or not. */
export async function findWord(args: string[], names: readonly string[], known: Known): Promise<Found> {
  const { commonOptions, fallback } = known;
  const [first] = args;
  if (first !== undefined && names.includes(first)) return { name: first, rest: args.slice(1) };
  if (args.length === 0) return { name: fallback, rest: [] };
  const options = { ...(await known.all()), ...commonOptions };
  const tokens = tokenise(args, options);
  const at = tokens.findIndex(
    (token, index) =>
      token.kind === "positional" && (names.includes(token.value) || !takesNext(tokens[index - 1], token, options)),
  );
  const word = tokens[at];
  if (word?.kind === "positional" && names.includes(word.value)) {
    return { name: word.value, rest: without(args, word, tokens[at - 1], options) };
  }
  const given = tokens.filter((token) => token.kind === "option");
  if (fallback !== undefined && !word && !given.some(({ name }) => name === "help"))
    return { name: fallback, rest: args };
  const stranger = given.find(({ name, index }) => !optionNamed(options, name) && !(word && word.index < index));
  if (stranger) throw unknownOption(stranger.rawName, undefined, Object.keys(options));
  if (word?.kind === "positional") return { name: word.value, rest: [] };
  const homeless = given.find(({ name }) => !optionNamed(commonOptions, name));
  if (homeless) throw optionWithoutCommand(homeless.rawName);
  return { name: undefined, rest: [] };
}

/** The arguments without the command's name. An optional value that was left out before it stays left out. */
function without(args: string[], word: Token, before: Token | undefined, options: Options): string[] {
  const rest = args.toSpliced(word.index, 1);
  if (before?.kind === "option" && takesNext(before, word, options)) rest[before.index] = `--${before.name}=`;
  return rest;
}

/** Whether a positional is the optional value of the option before it: `--http 127.0.0.1:8080`. */
function takesNext(before: Token | undefined, token: Token, options: Options): boolean {
  if (before?.kind !== "option" || before.value !== undefined || token.index !== before.index + 1) return false;
  return optionNamed(options, before.name)?.optionalValue === true;
}

/** What a command takes, with `--no-X` for those that have it. */
export function withNegations(options: Options): Options {
  const negations = Object.entries(options).flatMap(([name, { negatable, help }]): [string, Option][] =>
    negatable ? [[`no-${name}`, { type: "boolean", help }]] : [],
  );
  return { ...options, ...Object.fromEntries(negations) };
}

/** The arguments of a command, checked against its signature. */
export function parseArguments(
  command: string,
  signature: Signature,
  args: string[],
  commonOptions: Options,
): Arguments {
  const options = { ...withNegations(signature.options ?? {}), ...commonOptions };
  const values: Values = {};
  const positionals: string[] = [];
  let before: Token | undefined;
  for (const token of tokenise(args, options)) {
    if (token.kind === "option") {
      const option = optionNamed(options, token.name);
      if (!option) throw unknownOption(token.rawName, command, Object.keys(options), signature.arguments);
      values[token.name] = readOption(token, option, values[token.name], command);
    } else if (token.kind === "positional") {
      if (before?.kind === "option" && takesNext(before, token, options)) values[before.name] = token.value;
      else positionals.push(token.value);
    }
    before = token;
  }
  placePositionals(command, signature, positionals, values);
  for (const [name, option] of Object.entries(options)) values[name] ??= option.default;
  return { positionals, options: values };
}

/** The words that are neither options nor their values, whether or not the rest of the line is right. */
export function positionalsOf(signature: Signature, args: string[], commonOptions: Options): string[] {
  const options = { ...signature.options, ...commonOptions };
  const tokens = tokenise(args, options);
  return tokens.flatMap((token, index) =>
    token.kind === "positional" && !takesNext(tokens[index - 1], token, options) ? [token.value] : [],
  );
}

type OptionToken = Extract<Token, { kind: "option" }>;

function readOption(token: OptionToken, option: Option, earlier: Value, command: string): Value {
  const { rawName, value } = token;
  if (option.type === "boolean") return readBoolean(rawName, value, command);
  if (value === undefined) {
    if (option.optionalValue) return "";
    throw missingValue(rawName, option, command);
  }
  const isAnotherOption = token.inlineValue === false && /^-(?!\d|$)/.test(value);
  if (isAnotherOption) throw missingValue(rawName, option, command);
  const read = readValue(rawName, value, option, command);
  return option.type === "list" ? [...(Array.isArray(earlier) ? earlier : []), value] : read;
}

function readBoolean(rawName: string, value: string | undefined, command: string): boolean {
  if (value === undefined || value === "true") return true;
  if (value === "false") return false;
  throw unwantedValue(rawName, command);
}

function readValue(name: string, value: string, option: Option, command: string): string | number {
  const { choices } = option;
  const wrong = choices && (option.commas ? value.split(",") : [value]).find((one) => !choices.includes(one.trim()));
  if (choices && wrong !== undefined) throw wrongChoice(name, wrong, choices, command);
  if (option.type !== "number") return value;
  const number = /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = option;
  const fits = number >= min && number <= max && (!option.integer || Number.isSafeInteger(number));
  if (!fits) throw wrongNumber(name, value, option, command);
  return number;
}

/** A positional is the first argument that was not given by name. */
function placePositionals(command: string, signature: Signature, positionals: string[], values: Values): void {
  const all = signature.arguments ?? [];
  const open = all.filter(({ option }) => option === undefined || values[option] === undefined);
  for (const [index, value] of positionals.entries()) {
    const last = open.at(-1);
    const argument = open[index] ?? (last?.rest ? last : undefined);
    if (!argument) throw unwantedArgument(value, open.length, command);
    const option = argument.option === undefined ? undefined : optionNamed(signature.options ?? {}, argument.option);
    if (argument.option === undefined || !option) continue;
    const read = readValue(argument.name, value, option, command);
    values[argument.option] = option.type === "list" ? [value] : read;
  }
  const missing = open.slice(positionals.length).find(({ required }) => required);
  if (missing) throw missingArgument(missing, command);
}
