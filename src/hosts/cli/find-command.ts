import type { CommandSource } from "../../commons/cli/app.ts";
import { missingSubcommand, unknownCommand, unknownSubcommand } from "../../commons/cli/errors.ts";
import type { Options } from "../../kernel/definitions/command.ts";
import { findWord, withNegations } from "./parse.ts";

type Names = CommandSource["names"];

export type FoundCommand = {
  /** The command's own name; undefined where none was given. */
  name: string | undefined;
  rest: string[];
};

/** The command that a line names, by its name or an alias, of one to three words; `fallback` where it names none. */
export async function findCommand(
  line: string[],
  source: CommandSource,
  commonOptions: Options,
  fallback: string | undefined,
): Promise<FoundCommand> {
  const words = firstWords(source.names);
  const found = await findWord(line, words, { commonOptions, fallback, all: () => optionsOf(source) });
  if (found.name === undefined) return found;
  const { name: first, rest } = found;
  if (!words.includes(first)) throw source.unknown(first) ?? unknownCommand(first, listedWords(source.names));
  return findInner(first, rest, source, commonOptions);
}

/** Goes on with the words of a group, as long as there are commands behind what was typed so far. */
async function findInner(
  typed: string,
  rest: string[],
  source: CommandSource,
  commonOptions: Options,
): Promise<FoundCommand> {
  const name = ownName(source.names, typed);
  const inner = wordsAfter(source.names, typed);
  if (inner.length === 0) return { name, rest };
  const next = await findWord(rest, inner, { commonOptions, fallback: undefined, all: () => optionsOf(source) });
  if (next.name === undefined) {
    if (!source.names.some((known) => known.name === name)) throw missingSubcommand(typed, inner);
    return { name, rest };
  }
  if (inner.includes(next.name)) return findInner(`${typed} ${next.name}`, next.rest, source, commonOptions);
  // `forge receipt T-001` beside `forge receipt verify FILE`, or a word that is short for one of its own commands: `fork NAME`.
  if (source.names.some((known) => known.name === name && !known.isGroup)) return { name, rest };
  throw unknownSubcommand(typed, next.name, inner);
}

function ownName(names: Names, typed: string): string {
  return names.find(({ name, aliases }) => name === typed || aliases.includes(typed))?.name ?? typed;
}

function spellings(names: Names): string[] {
  return names.flatMap(({ name, aliases }) => [name, ...aliases]);
}

function firstWords(names: Names): string[] {
  return [...new Set(spellings(names).map((spelling) => spelling.split(" ", 1)[0] ?? ""))];
}

/** The words that can follow those that were typed. */
export function wordsAfter(names: Names, typed: string): string[] {
  const words = spellings(names).flatMap((spelling) =>
    spelling.startsWith(`${typed} `) ? [spelling.slice(typed.length + 1).split(" ", 1)[0] ?? ""] : [],
  );
  return [...new Set(words)];
}

/** The words to suggest for a mistyped one. */
function listedWords(names: Names): string[] {
  return firstWords(names.filter(({ hidden }) => !hidden));
}

/** Every option of every command. Where two differ under one name, the one that takes a value counts. */
async function optionsOf(source: CommandSource): Promise<Options> {
  const all: Options = {};
  for (const { options = {} } of await source.facts()) {
    for (const [name, option] of Object.entries(withNegations(options))) {
      if (all[name] === undefined || all[name].type === "boolean") all[name] = option;
    }
  }
  return all;
}
