import type { Candidate, Command, Option, Options } from "../../../kernel/command.ts";
import type { App } from "../app.ts";
import { globalOptions } from "../global-options.ts";
import { findCommand, positionalsOf } from "../parse.ts";
import { partIn, partWords } from "../parts.ts";
import { complete, optionsOfAll } from "../signature.ts";

/** What a shell shows for one Tab: words of ours, or its own completion of paths. */
export type Completion = { candidates: Candidate[]; next: "words" | "files" | "folders" };

type Line = { command: Command<App> | undefined; before: string[]; typed: string };

/** What could stand in place of the last word. Never throws: a wrong line has nothing to offer. */
export async function completeLine(app: App, commands: readonly Command<App>[], words: string[]): Promise<Completion> {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  try {
    const { candidates, next } = await offer(app, commands, {
      command: await commandIn(app, commands, before),
      before,
      typed,
    });
    return { candidates: candidates.filter((candidate) => fits(candidate, typed)), next };
  } catch {
    return { candidates: [], next: "words" };
  }
}

async function commandIn(
  app: App,
  commands: readonly Command<App>[],
  before: string[],
): Promise<Command<App> | undefined> {
  const names = commands.map(({ name }) => name);
  const { name, rest } = findCommand(before, names, undefined, () => optionsOfAll(commands, () => app));
  const first = commands.find((candidate) => candidate.name === name);
  if (!first) return undefined;
  const { command } = await partIn(first, rest, () => app);
  return complete(command, () => app);
}

async function offer(app: App, commands: readonly Command<App>[], line: Line): Promise<Completion> {
  const { command, before, typed } = line;
  const options = before.includes("--") ? {} : { ...command?.options, ...globalOptions };
  const [, inline] = /^--([\w-]+)=/.exec(typed) ?? [];
  const awaited = inline ?? awaitingValue(before.at(-1), options);
  const option = awaited === undefined ? undefined : options[awaited];
  if (awaited !== undefined && option) {
    const prefix = inline === undefined ? "" : `--${inline}=`;
    return optionValues(app, line, { name: awaited, option, prefix });
  }
  if (typed.startsWith("-")) return words(optionWords(options, before));
  if (!command) {
    const listed = commands.filter(({ hidden }) => !hidden);
    return words(listed.map(({ name, summary }) => ({ value: name, help: summary })));
  }
  if (command.parts) return words(partWords(await command.parts()));
  return words([...argumentChoices(line), ...(await valuesFor(app, line, undefined))]);
}

function words(candidates: Candidate[]): Completion {
  return { candidates, next: "words" };
}

/** The option before the typed word, where it still wants its value. */
function awaitingValue(word: string | undefined, options: Options): string | undefined {
  if (word === undefined || !word.startsWith("-") || word.includes("=")) return undefined;
  const name = word.startsWith("--")
    ? word.slice(2)
    : Object.keys(options).find((candidate) => options[candidate]?.short === word.slice(-1));
  const option = name !== undefined && Object.hasOwn(options, name) ? options[name] : undefined;
  return option && option.type !== "boolean" ? name : undefined;
}

async function optionValues(
  app: App,
  line: Line,
  { name, option, prefix }: { name: string; option: Option; prefix: string },
): Promise<Completion> {
  if (option.path) return { candidates: [], next: option.path === "file" ? "files" : "folders" };
  const known = option.choices?.map((value) => ({ value })) ?? (await valuesFor(app, line, name));
  return words(known.map(({ value, ...rest }) => ({ ...rest, value: prefix + value })));
}

function optionWords(options: Options, before: string[]): Candidate[] {
  return Object.entries(options)
    .filter(([name, { type }]) => type === "list" || !before.some((word) => word.split("=", 1)[0] === `--${name}`))
    .map(([name, { help }]) => ({ value: `--${name}`, help }));
}

/** Where an argument is also an option, what the option may be. */
function argumentChoices({ command, before }: Line): Candidate[] {
  const position = positionals(command, before).length;
  const argument = command?.arguments?.[position];
  const option = argument?.option === undefined ? undefined : command?.options?.[argument.option];
  return option?.choices?.map((value) => ({ value })) ?? [];
}

async function valuesFor(app: App, { command, before, typed }: Line, option: string | undefined): Promise<Candidate[]> {
  return (await command?.complete?.(app, { typed, positionals: positionals(command, before), option })) ?? [];
}

function positionals(command: Command<App> | undefined, before: string[]): string[] {
  return command ? positionalsOf(command, before).slice(command.name.split(" ").length) : [];
}

/** A shell puts a word on the line as it is, so only words that mean nothing to any shell are offered. */
const harmlessWord = /^[\w./:@%+=,-]+$/;

function fits({ value }: Candidate, typed: string): boolean {
  return value.startsWith(typed) && harmlessWord.test(value);
}
