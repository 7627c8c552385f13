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

/** The command that a line names, by its name or an alias, one word or two; `fallback` where it names none. */
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
  const inner = secondWords(source.names, first);
  if (inner.length === 0) return { name: ownName(source.names, first), rest };
  const second = await findWord(rest, inner, { commonOptions, fallback: undefined, all: () => optionsOf(source) });
  if (second.name === undefined) {
    const name = ownName(source.names, first);
    if (!source.names.some((known) => known.name === name)) throw missingSubcommand(first, inner);
    return { name, rest };
  }
  if (!inner.includes(second.name)) {
    // `forge receipt T-001` beside `forge receipt verify FILE`.
    if (source.names.some(({ name, isGroup }) => name === first && !isGroup)) return { name: first, rest };
    throw unknownSubcommand(first, second.name, inner);
  }
  return { name: ownName(source.names, `${first} ${second.name}`), rest: second.rest };
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

export function secondWords(names: Names, first: string): string[] {
  return spellings(names).flatMap((spelling) =>
    spelling.startsWith(`${first} `) ? [spelling.slice(first.length + 1)] : [],
  );
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
