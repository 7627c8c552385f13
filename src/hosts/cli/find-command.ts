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

/** The command that a line names, by its name or an alias, of one word or more; `fallback` where it names none. */
export async function findCommand(
  line: string[],
  source: CommandSource,
  commonOptions: Options,
  fallback: string | undefined,
): Promise<FoundCommand> {
  const words = firstWords(source.names);
  const found = await findWord(line, words, { commonOptions, fallback, all: () => optionsOf(source) });
  if (found.name === undefined) return found;
  let { name: typed, rest } = found;
  if (!words.includes(typed)) throw source.unknown(typed) ?? unknownCommand(typed, listedWords(source.names));
  for (;;) {
    const inner = nextWords(source.names, typed);
    const name = ownName(source.names, typed);
    if (inner.length === 0) return { name, rest };
    const next = await findWord(rest, inner, { commonOptions, fallback: undefined, all: () => optionsOf(source) });
    if (next.name === undefined) {
      if (!source.names.some((known) => known.name === name)) throw missingSubcommand(typed, inner);
      return { name, rest };
    }
    if (!inner.includes(next.name)) throw unknownSubcommand(typed, next.name, inner);
    typed = `${typed} ${next.name}`;
    rest = next.rest;
  }
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

/** The words that can follow the first ones of a command's name. */
export function nextWords(names: Names, typed: string): string[] {
  const following = spellings(names).filter((spelling) => spelling.startsWith(`${typed} `));
  return [...new Set(following.map((spelling) => spelling.slice(typed.length + 1).split(" ", 1)[0] ?? ""))];
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
