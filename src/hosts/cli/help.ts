import { settingsTable } from "../../app/settings/config.ts";
import type { Argument, Command, Option, Options, Output } from "../../kernel/command.ts";
import type { App } from "./app.ts";
import { globalOptions } from "./global-options.ts";
import {
  columnFor,
  definitions,
  exampleLines,
  type Place,
  sections,
  type Term,
  usageLines,
  widthFor,
} from "./help-layout.ts";
import { heededSettings } from "./signature.ts";
import { wrap } from "./text.ts";

const about =
  "Forge gives AI coding assistants a project's development context over the Model Context Protocol (MCP), " +
  "and keeps evidence of what they did.";

const groups: [Command<App>["group"], string][] = [
  ["start", "Start here:"],
  ["tickets", "Work on tickets:"],
  ["tasks", "Work on tasks:"],
  ["look", "Look at a project:"],
  ["server", "Work with others:"],
  ["more", "More:"],
];

const readMore: Term[] = [
  ["forge COMMAND --help", "What a command is for, its options, and examples."],
  ["~/.forge/settings.json", "Your own defaults, in place of flags and environment variables."],
];

export function showOverview(all: readonly Command<App>[], out: Output): number {
  const commands = all.filter(({ hidden }) => !hidden);
  out.data({ about, commands: commands.map(brief) }, () => overview(commands, out));
  return 0;
}

export async function showHelp(command: Command<App>, out: Output): Promise<number> {
  const parts = await command.parts?.();
  if (parts) out.data({ ...describe(command), commands: parts.map(brief) }, () => groupHelp(command, parts, out));
  else out.data(describe(command), () => commandHelp(command, out));
  return 0;
}

function brief({ name, summary, group }: Command<App>) {
  return { name, summary, group };
}

/** A command as data, for `--help --json`. */
function describe({ name, summary, details, group, arguments: args, options, examples }: Command<App>) {
  return { name, summary, group, details, arguments: args ?? [], options: options ?? {}, examples };
}

/** `forge` alone and `forge --help`. */
function overview(listed: readonly Command<App>[], place: Place): string {
  const column = columnFor(commandTerms(listed));
  const ofGroup = (group: string) => commandTerms(listed.filter((command) => command.group === group));
  return sections([
    wrap(about, widthFor(place)),
    ["Usage: forge COMMAND [OPTIONS]"],
    ...groups.map(([group, title]) => definitions(title, ofGroup(group), place, column)),
    definitions("Options of every command:", optionTerms(globalOptions), place),
    definitions("Read more:", readMore, place),
  ]);
}

function commandTerms(commands: readonly Command<App>[]): Term[] {
  return commands.map(({ name, summary }) => [`forge ${name}`, summary]);
}

/** `forge NAME --help`, of a word that other commands stand behind. */
function groupHelp(
  { name, summary, details = "", examples }: Command<App>,
  parts: readonly Command<App>[],
  place: Place,
): string {
  const width = widthFor(place);
  return sections([
    wrap(`${summary}.`, width),
    [`Usage: forge ${name} COMMAND [OPTIONS]`],
    wrap(details, width),
    definitions("Commands:", commandTerms(parts), place),
    definitions("Options of every command:", optionTerms(globalOptions), place),
    exampleLines(examples, place),
    definitions(
      "Read more:",
      [[`forge ${name} COMMAND --help`, "What a command is for, its options, and examples."]],
      place,
    ),
  ]);
}

/** `forge NAME --help`. */
function commandHelp(command: Command<App>, place: Place): string {
  const { name, summary, details = "", examples, arguments: args = [], options = {} } = command;
  const width = widthFor(place);
  return sections([
    wrap(`${summary}.`, width),
    usage(name, args, options, width),
    ...details.split(/\n\s*\n/).map((paragraph) => wrap(paragraph, width)),
    definitions("Arguments:", args.map(argumentTerm), place),
    definitions("Options:", optionTerms(options), place),
    definitions("Options of every command:", optionTerms(globalOptions), place),
    definitions("Environment:", variableTerms(command), place),
    exampleLines(examples, place),
  ]);
}

function usage(name: string, args: Argument[], options: Options, width: number): string[] {
  return usageLines(
    `forge ${name}`,
    [
      ...args.map(argumentWord),
      ...Object.entries(options).map(([option, definition]) => `[${optionWord(option, definition)}]`),
    ],
    width,
  );
}

function argumentWord({ name, required, rest }: Argument): string {
  const word = rest ? `${name.toUpperCase()}...` : name.toUpperCase();
  return required ? word : `[${word}]`;
}

/** `--toolsets LIST`, `--http [HOST:PORT]`. */
function optionWord(name: string, option: Option): string {
  if (option.type === "boolean") return `--${name}`;
  const value = option.value ?? (option.choices ? option.choices.join("|") : option.type === "number" ? "N" : "TEXT");
  return option.optionalValue ? `--${name} [${value}]` : `--${name} ${value}`;
}

function optionTerms(options: Options): Term[] {
  const anyShort = Object.values(options).some(({ short }) => short !== undefined);
  return Object.entries(options).map(([name, option]) => {
    const short = option.short === undefined ? (anyShort ? "    " : "") : `-${option.short}, `;
    return [short + optionWord(name, option), optionMeaning(option)];
  });
}

function optionMeaning(option: Option): string {
  const repeat = option.type === "list" ? " May be given several times." : "";
  const choices = option.choices && option.value !== undefined ? ` One of: ${option.choices.join(", ")}.` : "";
  const fallback = option.default === undefined ? "" : ` Default: ${option.default}.`;
  return `${option.help}${choices}${repeat}${fallback}`;
}

function argumentTerm(argument: Argument): Term {
  return [argument.name.toUpperCase(), argument.help];
}

function variableTerms(command: Command<App>): Term[] {
  return heededSettings(command).flatMap((name) => {
    const { variables, help } = settingsTable[name];
    return variables.map((variable): Term => [variable.name, variable.help ?? help]);
  });
}
