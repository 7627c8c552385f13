import type { Action } from "../../kernel/action.ts";
import { sentence } from "../../kernel/action.ts";
import type { CommandFacts, Option } from "../../kernel/definitions/command.ts";
import { fieldAt } from "./fields.ts";
import { shellWord } from "./shell-word.ts";

/**
 * What to type for a command that is derived from a tool, so that the tool gets this input. `own` are values of options that
 * are not the tool's, by flag.
 */
export function commandLine(
  facts: CommandFacts,
  input: Record<string, unknown>,
  own: Record<string, unknown> = {},
): string {
  const { name, arguments: args = [], options = {} } = facts;
  const flags = Object.entries(options).flatMap(([flag, option]) =>
    flagWords(flag, option, option.field === undefined ? own[flag] : fieldAt(input, option.field)),
  );
  const words = args.flatMap(({ field }) => (field === undefined ? [] : argumentWords(field, input)));
  const needsDashes = words.some((word) => word.startsWith("-"));
  return ["forge", name, ...flags, ...(needsDashes ? ["--"] : []), ...words].join(" ");
}

function flagWords(flag: string, option: Option, value: unknown): string[] {
  if (option.clears) return value === null ? [`--${flag}`] : [];
  if (value === undefined || value === null) return [];
  if (option.type === "boolean") {
    if (option.negates) return value === false ? [`--${flag}`] : [];
    if (value === false) return option.negatable ? [`--no-${flag}`] : [];
    return [`--${flag}`];
  }
  const values = Array.isArray(value) ? value : [value];
  if (values.length === 0) return [`--${flag}=`];
  const shown = option.commas ? [values.join(",")] : values;
  return shown.map((one) => `--${flag}=${shellWord(String(one))}`);
}

/** `block_id/task_id` is one word of both. */
function argumentWords(field: string, input: Record<string, unknown>): string[] {
  const values = field.split("/").map((part) => fieldAt(input, part));
  if (values.some((value) => value === undefined)) return [];
  if (values.length === 1 && Array.isArray(values[0])) return values[0].map((one) => shellWord(String(one)));
  return [shellWord(values.map(String).join("/"))];
}

/** The command line of an operation; any tool can be called where none of the commands is made for it. */
export function commandLineFor(
  commands: readonly CommandFacts[],
  tool: string,
  input: Record<string, unknown> = {},
): string {
  const facts = commandFor(commands, tool, input);
  if (facts) return commandLine(facts, input);
  const words = Object.entries(input).map(([key, value]) =>
    typeof value === "string" ? `${key}=${shellWord(value)}` : `${key}:=${shellWord(JSON.stringify(value))}`,
  );
  return ["forge call", tool, ...words].join(" ");
}

/** Of several commands for one tool, the one whose fixed inputs are asked for, and that can say all of the input. */
function commandFor(commands: readonly CommandFacts[], tool: string, input: Record<string, unknown>) {
  const fits = commands
    .filter((facts) => facts.tool === tool)
    .filter(({ fixed = {} }) => Object.entries(fixed).every(([key, value]) => input[key] === value))
    .filter((facts) => Object.keys(input).every((key) => canSay(facts, key)));
  return fits.sort((a, b) => Object.keys(b.fixed ?? {}).length - Object.keys(a.fixed ?? {}).length)[0];
}

function canSay({ fixed = {}, arguments: args = [], options = {} }: CommandFacts, key: string): boolean {
  const fields = [...args, ...Object.values(options)].flatMap(({ field }) => field?.split("/") ?? []);
  return Object.hasOwn(fixed, key) || fields.some((field) => field === key || field.startsWith(`${key}.`));
}

/** How a person at a shell is told what to do next. */
export function wordForShell(commands: readonly CommandFacts[]): (action: Action) => string {
  return (action) => {
    if (typeof action === "string") return action;
    const line = "command" in action ? `forge ${action.command}` : commandLineFor(commands, action.tool, action.input);
    return sentence(`Run \`${line}\``, action.why);
  };
}
