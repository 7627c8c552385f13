import { settingsTable } from "../../config.ts";
import type { Argument, Command, Option, Options, Output } from "../../kernel/command.ts";
import type { App } from "./app.ts";
import { globalOptions } from "./global-options.ts";
import { heededSettings } from "./signature.ts";
import { pad, widthOf, wrap } from "./text.ts";

const widest = 80;
const indent = "  ";

type Place = Pick<Output, "width" | "style">;
type Term = [term: string, meaning: string];

const about =
  "Forge gives AI coding assistants a project's development context over the Model Context Protocol (MCP), " +
  "and keeps evidence of what they did.";

const groups: [Command<App>["group"], string][] = [
  ["start", "Start here:"],
  ["look", "Look at a project:"],
  ["more", "More:"],
];

const readMore: Term[] = [
  ["forge COMMAND --help", "What a command is for, its options, and examples."],
  ["~/.forge/settings.json", "Your own defaults, in place of flags and environment variables."],
];

export function showOverview(commands: readonly Command<App>[], out: Output): number {
  out.data({ about, commands: commands.map(({ name, summary, group }) => ({ name, summary, group })) }, () =>
    overview(commands, out),
  );
  return 0;
}

export function showHelp(command: Command<App>, out: Output): number {
  out.data(describe(command), () => commandHelp(command, out));
  return 0;
}

/** A command as data, for `--help --json`. */
function describe({ name, summary, details, group, arguments: args, options, examples }: Command<App>) {
  return { name, summary, group, details, arguments: args ?? [], options: options ?? {}, examples };
}

/** `forge` alone and `forge --help`. */
function overview(listed: readonly Command<App>[], place: Place): string {
  const terms = (of: readonly Command<App>[]) => of.map(({ name, summary }): Term => [`forge ${name}`, summary]);
  const column = columnFor(terms(listed));
  const ofGroup = (group: string) => terms(listed.filter((command) => command.group === group));
  return sections([
    wrap(about, widthFor(place)),
    ["Usage: forge COMMAND [OPTIONS]"],
    ...groups.map(([group, title]) => definitions(title, ofGroup(group), place, column)),
    definitions("Options of every command:", optionTerms(globalOptions), place),
    definitions("Read more:", readMore, place),
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

function widthFor({ width }: Place): number {
  return Math.max(40, Math.min(widest, width ?? widest));
}

function sections(parts: string[][]): string {
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function usage(name: string, args: Argument[], options: Options, width: number): string[] {
  const start = `Usage: forge ${name}`;
  const words = [
    ...args.map((argument) => (argument.required ? argument.name.toUpperCase() : `[${argument.name.toUpperCase()}]`)),
    ...Object.entries(options).map(([option, definition]) => `[${optionWord(option, definition)}]`),
  ];
  const lines = [start];
  for (const word of words) {
    const last = lines.at(-1) ?? "";
    if (widthOf(last) + 1 + widthOf(word) > width) lines.push(`${" ".repeat(start.length)} ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
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

/** A title and aligned terms with their meaning; nothing where there are none. */
function definitions(title: string, terms: Term[], place: Place, column = columnFor(terms)): string[] {
  if (terms.length === 0) return [];
  const width = widthFor(place) - indent.length * 2 - column;
  const lines = terms.flatMap(([term, meaning]) => {
    const [first = "", ...rest] = wrap(meaning, width);
    const left = place.style.cyan(pad(term, column));
    const overflows = widthOf(term) > column;
    const head = overflows ? [left, " ".repeat(column) + indent + first] : [left + indent + first];
    return [...head, ...rest.map((line) => " ".repeat(column) + indent + line)].map((line) =>
      (indent + line).trimEnd(),
    );
  });
  return [place.style.bold(title), ...lines];
}

function columnFor(terms: Term[]): number {
  return Math.min(30, Math.max(0, ...terms.map(([term]) => widthOf(term))));
}

function exampleLines(examples: Command<App>["examples"], place: Place): string[] {
  if (examples.length === 0) return [];
  const lines = examples.flatMap(([line, meaning]) => [
    indent + place.style.cyan(line),
    ...wrap(meaning, widthFor(place) - 6).map((text) => `      ${text}`),
  ]);
  return [place.style.bold("Examples:"), ...lines];
}
