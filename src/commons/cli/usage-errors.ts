import { anyOf, didYouMean } from "../../kernel/closest.ts";
import type { Argument, Option } from "../../kernel/command.ts";
import { ForgeError } from "../../kernel/errors.ts";

const longest = 64;

function quoted(text: string): string {
  return `"${text.length > longest ? `${text.slice(0, longest)}…` : text}"`;
}

function usageError(message: string, next: string[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", message, { next });
}

/** How to read more: of one command where its name is known. */
function helpHint(command: string | undefined): string {
  return command === undefined
    ? "Run `forge --help` to see the commands."
    : `Run \`forge ${command} --help\` to see how it is used.`;
}

export function unknownCommand(name: string, known: readonly string[]): ForgeError {
  return usageError(`Unknown command ${quoted(name)}.`, [...didYouMean(name, known), helpHint(undefined)]);
}

export function unknownSubcommand(command: string, word: string, known: readonly string[]): ForgeError {
  return usageError(`\`forge ${command}\` has no command ${quoted(word)}; it has ${anyOf(known)}.`, [
    ...didYouMean(word, known),
    helpHint(command),
  ]);
}

/** What is an argument is often given by its name. */
export function unknownOption(
  rawName: string,
  command: string | undefined,
  known: readonly string[],
  args: readonly Argument[] = [],
): ForgeError {
  const place = command === undefined ? "" : ` for \`forge ${command}\``;
  const argument = args.find(({ name }) => `--${name}` === rawName);
  const options = known.map((name) => `--${name}`);
  const next = argument
    ? [`Write it like: forge ${command} "${argument.name.toUpperCase()}"`]
    : didYouMean(rawName, options);
  return usageError(`Unknown option ${quoted(rawName)}${place}.`, [...next, helpHint(command)]);
}

export function optionWithoutCommand(rawName: string): ForgeError {
  return usageError(`${rawName} belongs to a command, and none was given.`, [helpHint(undefined)]);
}

export function missingValue(rawName: string, option: Option, command: string): ForgeError {
  return usageError(`${rawName} needs a value${expectation(option)}.`, [
    `A value that begins with a dash is written ${rawName}=VALUE.`,
    helpHint(command),
  ]);
}

export function unwantedValue(rawName: string, command: string): ForgeError {
  return usageError(`${rawName} takes no value.`, [helpHint(command)]);
}

export function wrongChoice(name: string, value: string, choices: readonly string[], command: string): ForgeError {
  return usageError(`${name} cannot be ${quoted(value)}; it is ${anyOf(choices)}.`, [
    ...didYouMean(value, choices),
    helpHint(command),
  ]);
}

export function wrongNumber(name: string, value: string, option: Option, command: string): ForgeError {
  return usageError(`${name} cannot be ${quoted(value)}${expectation(option)}.`, [helpHint(command)]);
}

function expectation(option: Option): string {
  if (option.choices) return `: ${anyOf(option.choices)}`;
  if (option.type !== "number") return "";
  const kind = option.integer ? "a whole number" : "a number";
  if (option.min !== undefined && option.max !== undefined)
    return `; it is ${kind} from ${option.min} to ${option.max}`;
  if (option.min !== undefined) return `; it is ${kind} of at least ${option.min}`;
  if (option.max !== undefined) return `; it is ${kind} of at most ${option.max}`;
  return `; it is ${kind}`;
}

export function missingArgument(argument: Argument, command: string): ForgeError {
  return usageError(`\`forge ${command}\` needs ${argument.name.toUpperCase()}: ${argument.help}`, [helpHint(command)]);
}

export function unwantedArgument(value: string, taken: number, command: string): ForgeError {
  const most = taken === 0 ? "no arguments" : taken === 1 ? "one argument" : `${taken} arguments`;
  return usageError(`\`forge ${command}\` takes ${most}; ${quoted(value)} is one too many.`, [helpHint(command)]);
}
