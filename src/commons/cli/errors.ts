import type { Action } from "../../kernel/action.ts";
import type { Argument, Option } from "../../kernel/definitions/command.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { anyOf, didYouMean } from "../../kernel/text/closest.ts";
import { quote } from "./quote.ts";

function usageError(message: string, next: readonly Action[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", message, { next });
}

/** How to read more: of one command where its name is known. */
function helpHint(command: string | undefined): Action {
  return command === undefined
    ? { command: "--help", why: "to see the commands" }
    : { command: `${command} --help`, why: "to see how it is used" };
}

export function unknownCommand(name: string, known: readonly string[]): ForgeError {
  return usageError(`Unknown command ${quote(name)}.`, [...didYouMean(name, known), helpHint(undefined)]);
}

export function unknownSubcommand(command: string, word: string, known: readonly string[]): ForgeError {
  return usageError(`\`forge ${command}\` has no command ${quote(word)}. Its commands are ${anyOf(known)}.`, [
    ...didYouMean(word, known),
    helpHint(command),
  ]);
}

export function missingSubcommand(command: string, known: readonly string[]): ForgeError {
  return usageError(`\`forge ${command}\` needs a command: ${anyOf(known)}.`, [helpHint(undefined)]);
}

/** Arguments are often given as options of that name. */
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
  return usageError(`Unknown option ${quote(rawName)}${place}.`, [...next, helpHint(command)]);
}

export function optionWithoutCommand(rawName: string): ForgeError {
  return usageError(`${rawName} needs a command.`, [helpHint(undefined)]);
}

export function missingValue(rawName: string, option: Option, command: string): ForgeError {
  return usageError(`${rawName} needs a value${expectation(option)}.`, [
    `If the value starts with a dash, write ${rawName}=VALUE.`,
    helpHint(command),
  ]);
}

export function unwantedValue(rawName: string, command: string): ForgeError {
  return usageError(`${rawName} takes no value.`, [helpHint(command)]);
}

export function wrongChoice(name: string, value: string, choices: readonly string[], command: string): ForgeError {
  return usageError(`${name} cannot be ${quote(value)}. Use ${anyOf(choices)}.`, [
    ...didYouMean(value, choices),
    helpHint(command),
  ]);
}

export function wrongNumber(name: string, value: string, option: Option, command: string): ForgeError {
  return usageError(`${name} cannot be ${quote(value)}${expectation(option)}.`, [helpHint(command)]);
}

function expectation(option: Option): string {
  if (option.choices) return `: ${anyOf(option.choices)}`;
  if (option.type !== "number") return "";
  const kind = option.integer ? "an integer" : "a number";
  if (option.min !== undefined && option.max !== undefined)
    return `; it must be ${kind} from ${option.min} to ${option.max}`;
  if (option.min !== undefined) return `; it must be ${kind} of at least ${option.min}`;
  if (option.max !== undefined) return `; it must be ${kind} of at most ${option.max}`;
  return `; it must be ${kind}`;
}

export function missingArgument(argument: Argument, command: string): ForgeError {
  return usageError(`\`forge ${command}\` needs ${argument.name.toUpperCase()}: ${argument.help}`, [helpHint(command)]);
}

export function unwantedArgument(value: string, taken: number, command: string): ForgeError {
  const accepted = taken === 0 ? "no arguments" : taken === 1 ? "one argument" : `${taken} arguments`;
  return usageError(`\`forge ${command}\` takes ${accepted}; ${quote(value)} is one too many.`, [helpHint(command)]);
}

/** What a tool says of its inputs, said of the flags and arguments that gave them. */
export function wrongInput(issues: readonly string[], command: string, cause: ForgeError): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${issues.join("; ")}.`, {
    details: { issues },
    next: [helpHint(command)],
    cause,
  });
}

export function notAReference(word: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${quote(word)} is not a task: write BLOCK/TASK.`, {
    next: [{ tool: "forge_get_tasks", why: "to see the tasks" }],
  });
}

export function wrongSince(text: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `--since cannot be "${text.slice(0, 64)}": it is a time span or a date.`, {
    next: ["Write a span as 30s, 15m, 1h, 2d or 1w, a date as 2026-11-01 or 2026-11-01T14:30."],
  });
}
