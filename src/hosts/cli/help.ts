import {
  columnFor,
  definitions,
  exampleLines,
  type Place,
  sections,
  type Term,
  usageLines,
  widthFor,
} from "../../commons/cli/print/help-layout.ts";
import type { Argument, CommandFacts, Option, Options, Output } from "../../kernel/definitions/command.ts";
import { wrapText } from "../../platform/terminal/text.ts";

const about =
  "Forge gives AI coding assistants a project's development context over the Model Context Protocol (MCP), " +
  "and keeps evidence of what they did.";

const groups: [CommandFacts["group"], string][] = [
  ["start", "Start here:"],
  ["tickets", "Tickets:"],
  ["tasks", "Tasks:"],
  ["look", "Project:"],
  ["server", "Team:"],
  ["more", "More:"],
];

const commandHelpTerm: Term = ["forge COMMAND --help", "Arguments, options and examples of a command."];
const allTerm: Term = ["forge help all", "All commands."];
const settingsTerm: Term = ["forge help settings", "Settings, environment variables and the settings file."];

/** `forge --help` shows what people use most, `forge help all` everything. */
export function showOverview(
  all: readonly CommandFacts[],
  which: "common" | "all",
  commonOptions: Options,
  out: Output,
): number {
  const isListed = ({ hidden, name, common }: CommandFacts) =>
    !hidden && !name.includes(" ") && (which === "all" || common === true);
  const shown = groups.flatMap(([group]) => all.filter((facts) => facts.group === group && isListed(facts)));
  out.data({ about, commands: shown.map(brief) }, () => overview(shown, which, commonOptions, out));
  return 0;
}

type Around = {
  /** Used for a group only. */
  all: readonly CommandFacts[];
  commonOptions: Options;
  /** Environment variables that the command uses. */
  variables: Term[];
};

export function showHelp(facts: CommandFacts, { all, commonOptions, variables }: Around, out: Output): number {
  if (facts.isGroup) {
    const parts = membersOf(facts.name, all);
    out.data({ ...describe(facts), commands: parts.map(brief) }, () => groupHelp(facts, parts, commonOptions, out));
  } else out.data(describe(facts), () => commandHelp(facts, commonOptions, variables, out));
  return 0;
}

/** The commands of a group, under the names they have there. */
function membersOf(group: string, all: readonly CommandFacts[]): CommandFacts[] {
  return all.flatMap((facts) => {
    const name = [facts.name, ...(facts.aliases ?? [])].find((spelling) => spelling.startsWith(`${group} `));
    return name === undefined ? [] : [{ ...facts, name }];
  });
}

function brief({ name, summary, group }: CommandFacts) {
  return { name, summary, group };
}

/** A command as data, for `--help --json`. */
function describe({ name, aliases = [], summary, details, group, arguments: args, options, examples }: CommandFacts) {
  return { name, aliases, summary, group, details, arguments: args ?? [], options: options ?? {}, examples };
}

function overview(
  shown: readonly CommandFacts[],
  which: "common" | "all",
  commonOptions: Options,
  place: Place,
): string {
  const more = which === "all" ? [commandHelpTerm, settingsTerm] : [commandHelpTerm, allTerm];
  const column = columnFor([...commandTerms(shown), ...more]);
  const ofGroup = (group: string) => commandTerms(shown.filter((command) => command.group === group));
  const lists =
    which === "all"
      ? [
          ...groups.map(([group, title]) => definitions(title, ofGroup(group), place, column)),
          definitions("Options of every command:", optionTerms(commonOptions), place),
        ]
      : [definitions("Commands:", commandTerms(shown), place, column)];
  return sections([
    wrapText(about, widthFor(place)),
    ["Usage: forge COMMAND [OPTIONS]"],
    ...lists,
    definitions("Read more:", more, place, column),
  ]);
}

/** A setting as data: what gives it, strongest first, and what it is. */
export type SettingFacts = {
  /** In the settings file. */
  key: string;
  flag: string | undefined;
  variables: readonly string[];
  help: string;
};

/** `forge help settings`. */
export function showSettings(settings: readonly SettingFacts[], file: string, out: Output): number {
  out.data({ file, settings }, () => {
    const terms = settings.map(({ key, flag, variables, help }): Term => {
      const ways = [...(flag === undefined ? [] : [`--${flag}`]), ...variables];
      return [key, ways.length === 0 ? help : `${help} Also: ${ways.join(", ")}.`];
    });
    return sections([
      wrapText(
        `Settings are read from flags, then environment variables, then ${file}, a JSON object such as {"logLevel": "info"}.`,
        widthFor(out),
      ),
      definitions("Settings:", terms, out),
    ]);
  });
  return 0;
}

function commandTerms(commands: readonly CommandFacts[]): Term[] {
  return commands.map(({ name, summary }) => [`forge ${name}`, summary]);
}

/** `forge NAME --help`, for a group. */
function groupHelp(facts: CommandFacts, parts: readonly CommandFacts[], commonOptions: Options, place: Place): string {
  const { name, summary, details = "", examples } = facts;
  const width = widthFor(place);
  return sections([
    wrapText(`${summary}.`, width),
    [`Usage: forge ${name} COMMAND [OPTIONS]`],
    wrapText(details, width),
    definitions("Commands:", commandTerms(parts), place),
    definitions("Options of every command:", optionTerms(commonOptions), place),
    exampleLines(examples, place),
    definitions(
      "Read more:",
      [[`forge ${name} COMMAND --help`, "Arguments, options and examples of a command."]],
      place,
    ),
  ]);
}

/** `forge NAME --help`. */
function commandHelp(facts: CommandFacts, commonOptions: Options, variables: Term[], place: Place): string {
  const { name, aliases = [], summary, details = "", examples, arguments: args = [], options = {} } = facts;
  const width = widthFor(place);
  return sections([
    wrapText(`${summary}.`, width),
    usage(name, args, options, width),
    ...(aliases.length > 0 ? [wrapText(`Also: ${aliases.map((alias) => `forge ${alias}`).join(", ")}`, width)] : []),
    ...details.split(/\n\s*\n/).map((paragraph) => wrapText(paragraph, width)),
    definitions("Arguments:", args.map(argumentTerm), place),
    definitions("Options:", optionTerms(options), place),
    definitions("Options of every command:", optionTerms(commonOptions), place),
    definitions("Environment:", variables, place),
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
  if (option.type === "boolean") return option.negatable ? `--[no-]${name}` : `--${name}`;
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
  const commas = option.commas ? " Separate several with commas." : "";
  const repeat = option.type === "list" && !option.commas ? " May be given several times." : "";
  const choices = option.choices && option.value !== undefined ? ` One of: ${option.choices.join(", ")}.` : "";
  const fallback = option.default === undefined ? "" : ` Default: ${option.default}.`;
  return `${option.help}${choices}${commas}${repeat}${fallback}`;
}

function argumentTerm(argument: Argument): Term {
  return [argument.name.toUpperCase(), argument.help];
}
