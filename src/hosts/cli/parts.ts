import type { Candidate, Command } from "../../kernel/command.ts";
import type { App } from "./app.ts";
import { findCommand } from "./parse.ts";
import { optionsOfAll } from "./signature.ts";
import { unknownPart } from "./usage-errors.ts";

/** Commands behind one word, as in `forge task list`. */

type Group = Pick<Command<App>, "name" | "summary" | "examples" | "group"> & {
  details: string;
  parts(): Promise<readonly Command<App>[]>;
};

/** A word that does nothing by itself but tell what stands behind it. */
export function commandGroup(group: Group): Command<App> {
  const command: Command<App> = {
    ...group,
    settings: [],
    async run(_app, _input, out) {
      const { showHelp } = await import("./help.ts");
      return showHelp(command, out);
    },
  };
  return command;
}

/** The command that is meant, and its arguments: one of the parts, or the command itself where none is named. */
export async function partIn(
  command: Command<App>,
  args: string[],
  app: () => App,
): Promise<{ command: Command<App>; rest: string[] }> {
  const parts = await command.parts?.();
  if (!parts) return { command, rest: args };
  const words = parts.map(wordOf);
  const { name, rest } = findCommand(args, words, undefined, () => optionsOfAll(parts, app));
  if (name === undefined) return { command, rest: args };
  const part = parts.find((candidate) => wordOf(candidate) === name);
  if (!part) throw unknownPart(command.name, name, words);
  return { command: part, rest };
}

/** Every command that can be typed, those behind a word after it. */
export async function withParts(commands: readonly Command<App>[]): Promise<Command<App>[]> {
  const all: Command<App>[] = [];
  for (const command of commands) all.push(command, ...((await command.parts?.()) ?? []));
  return all;
}

export function partWords(parts: readonly Command<App>[]): Candidate[] {
  return parts.map((part) => ({ value: wordOf(part), help: part.summary }));
}

function wordOf({ name }: Command<App>): string {
  return name.slice(name.indexOf(" ") + 1);
}
