import type { App, CommandSource } from "../../../commons/cli/app.ts";
import type { Candidate, Command, CommandFacts, Option, Options } from "../../../kernel/definitions/command.ts";
import { findCommand, wordsAfter } from "../find-command.ts";
import { positionalsOf } from "../parse.ts";

/** What a shell shows for one Tab: words of ours, or its own completion of paths. */
export type Completion = { candidates: Candidate[]; next: "words" | "files" | "folders" };

type Known = { app: App; source: CommandSource; commonOptions: Options };

type Line = {
  named: { command: Command<App>; facts: CommandFacts; rest: string[] } | undefined;
  before: string[];
  typed: string;
};

/** Candidates for the last word. Never throws: a wrong line has none. */
export async function completeLine(known: Known, words: string[]): Promise<Completion> {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  try {
    const { candidates, next } = await offer(known, { named: await commandIn(known, before), before, typed });
    return { candidates: candidates.filter((candidate) => fits(candidate, typed)), next };
  } catch {
    return { candidates: [], next: "words" };
  }
}

async function commandIn({ source, commonOptions }: Known, before: string[]): Promise<Line["named"]> {
  const { name, rest } = await findCommand(before, source, commonOptions, undefined);
  return name === undefined ? undefined : { ...(await source.load(name)), rest };
}

async function offer(known: Known, line: Line): Promise<Completion> {
  const { named, before, typed } = line;
  const options = before.includes("--") ? {} : { ...named?.facts.options, ...known.commonOptions };
  const [, inline] = /^--([\w-]+)=/.exec(typed) ?? [];
  const awaited = inline ?? awaitingValue(before.at(-1), options);
  const option = awaited === undefined ? undefined : options[awaited];
  if (awaited !== undefined && option) {
    const prefix = inline === undefined ? "" : `--${inline}=`;
    return optionValues(known, line, { name: awaited, option, prefix });
  }
  if (typed.startsWith("-")) return words(optionWords(options, before));
  if (!named) return words(commandWords(known.source));
  if (named.facts.isGroup) return words(groupWords(known.source, named.facts.name));
  return words([...argumentChoices(known, named), ...(await valuesFor(known, line, undefined))]);
}

/** If an argument is also an option, the choices of the option. */
function argumentChoices({ commonOptions }: Known, { facts, rest }: NonNullable<Line["named"]>): Candidate[] {
  const argument = facts.arguments?.[positionalsOf(facts, rest, commonOptions).length];
  const option = argument?.option === undefined ? undefined : facts.options?.[argument.option];
  return option?.choices?.map((value) => ({ value })) ?? [];
}

/** Aliases work, but are not offered: one name is enough to choose from. */
function commandWords({ names }: CommandSource): Candidate[] {
  const listed = names.filter(({ hidden, name }) => !hidden && !name.includes(" "));
  return listed.map(({ name, summary }) => ({ value: name, help: summary }));
}

function groupWords({ names }: CommandSource, group: string): Candidate[] {
  return wordsAfter(names, group).map((word) => {
    const spelling = `${group} ${word}`;
    const found = names.find(({ name, aliases }) => name === spelling || aliases?.includes(spelling));
    return { value: word, ...(found && { help: found.summary }) };
  });
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
  known: Known,
  line: Line,
  { name, option, prefix }: { name: string; option: Option; prefix: string },
): Promise<Completion> {
  if (option.path) return { candidates: [], next: option.path === "file" ? "files" : "folders" };
  const values = option.choices?.map((value) => ({ value })) ?? (await valuesFor(known, line, name));
  return words(values.map(({ value, ...rest }) => ({ ...rest, value: prefix + value })));
}

function optionWords(options: Options, before: string[]): Candidate[] {
  return Object.entries(options)
    .filter(([name, { type }]) => type === "list" || !before.some((word) => word.split("=", 1)[0] === `--${name}`))
    .map(([name, { help }]) => ({ value: `--${name}`, help }));
}

async function valuesFor({ app, commonOptions }: Known, { named, typed }: Line, option: string | undefined) {
  if (!named?.command.complete) return [];
  const positionals = positionalsOf(named.facts, named.rest, commonOptions);
  return named.command.complete(app, { typed, positionals, option });
}

/** A shell puts a word on the line as it is, so only words that mean nothing to any shell are offered. */
const harmlessWord = /^[\w./:@%+=,-]+$/;

function fits({ value }: Candidate, typed: string): boolean {
  return value.startsWith(typed) && harmlessWord.test(value);
}
