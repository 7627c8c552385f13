import type { Criterion } from "../model/ticket.ts";
import { field, type Loose, listOf, present, recordOf, textOf } from "./loose.ts";
import { inline, joinParts } from "./plain-text.ts";

type Body = Omit<Criterion, "id">;
type Entry = { body: Body; ownId: unknown; index: number };

const idPattern = /^AC-([1-9][0-9]{0,8})$/i;

/** The criteria of a ticket, each with an id. A list at the top level wins over the one in the specification. */
export function readCriteria(document: Loose, techSpec: Loose): Criterion[] {
  const own = listOf(field(document, "acceptanceCriteria"));
  const entriesOfOwn = entriesIn(own);
  const given = entriesOfOwn.length > 0 ? own : listOf(field(techSpec, "acceptanceCriteria"));
  const entries = entriesOfOwn.length > 0 ? entriesOfOwn : entriesIn(given);
  const listed = listOf(field(document, "acceptanceCriteriaIds"));
  // One id per entry, or one per entry that could be read.
  const besideEach = listed.length === given.length;
  const claimed = entries.map(
    ({ ownId, index }, place) => numberOf(ownId) ?? numberOf(listed[besideEach ? index : place]),
  );
  const numbers = uniqueNumbers(claimed, [...listed.map(numberOf), ...claimed], readHighestUsed(document));
  return entries.map(({ body }, place) => ({ id: `AC-${numbers[place]}`, ...body }));
}

/** The highest number that was ever given, if the document records it. */
function readHighestUsed(document: Loose): number {
  const used = field(document, "acceptanceCriteriaUsed");
  return typeof used === "number" && Number.isSafeInteger(used) && used > 0 && used < 1e9 ? used : 0;
}

/** The first criterion with a number keeps it; the others get the lowest number that was never used. */
function uniqueNumbers(
  claimed: readonly (number | undefined)[],
  known: readonly (number | undefined)[],
  used: number,
): number[] {
  const taken = new Set(known);
  const given = new Set<number>();
  let next = used;
  return claimed.map((number) => {
    if (number === undefined || given.has(number)) {
      do next++;
      while (taken.has(next));
      return next;
    }
    given.add(number);
    return number;
  });
}

function numberOf(id: unknown): number | undefined {
  const digits = typeof id === "string" ? idPattern.exec(id.trim())?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}

function entriesIn(list: readonly unknown[]): Entry[] {
  return list.flatMap((item, index) => {
    const criterion = recordOf(item);
    const text = criterion ? undefined : textOf(item);
    const body = criterion ? bodyOf(criterion) : text === undefined ? undefined : { text };
    return body ? [{ body, ownId: criterion && field(criterion, "id"), index }] : [];
  });
}

function bodyOf(criterion: Loose): Body | undefined {
  const [given, when, then] = ["given", "when", "then"].map((name) => inline(field(criterion, name)));
  const sentence = joinParts(" ", [clause("Given", given), clause("When", when), clause("Then", then)]);
  const said = textOf(field(criterion, "text", "criterion", "description", "title"));
  const text = joinSentence(said, sentence);
  if (text === undefined) return undefined;
  const notes = inline(field(criterion, "implementationNotes", "notes"));
  return { text, ...present({ given, when, then, notes }) };
}

/** Proof, waivers and receipts are of the text. So the parts belong to it, and nobody rewords them unnoticed. */
function joinSentence(said: string | undefined, sentence: string | undefined): string | undefined {
  if (said === undefined || sentence === undefined) return said ?? sentence;
  return said === sentence || said.endsWith(`: ${sentence}`) ? said : `${said}: ${sentence}`;
}

/** Some programs write the word into the part itself. */
function clause(word: string, part: string | undefined): string | undefined {
  const text = part?.trim();
  return text?.toLowerCase().startsWith(`${word.toLowerCase()} `) ? text : text && `${word} ${text}`;
}

/**
 * Ids for an edited list. An unchanged text keeps its id wherever it moved; a text that was edited in place keeps the id of
 * its predecessor; all others get numbers above `used`, so that an id never means something else. A text that was `removed`
 * earlier gets its id back.
 */
export function assignCriterionIds(
  previous: readonly Criterion[],
  texts: readonly string[],
  used: number,
  removed: readonly Criterion[] = [],
): { ids: string[]; used: number } {
  const free = new Set(previous);
  const take = (criterion: Criterion | undefined) => {
    if (!criterion || !free.delete(criterion)) return undefined;
    return criterion.id;
  };
  const stayed = texts.map((text, place) => (previous[place]?.text === text ? take(previous[place]) : undefined));
  const left = new Map<string, Criterion[]>();
  for (const criterion of [...free].reverse()) {
    const others = left.get(criterion.text);
    if (others) others.push(criterion);
    else left.set(criterion.text, [criterion]);
  }
  const moved = texts.map((text, place) => stayed[place] ?? take(left.get(text)?.pop()));
  const gone = new Map(removed.map(({ id, text }) => [text, id]));
  const back = moved.map((id, place) => id ?? takeFrom(gone, texts[place] ?? ""));
  const kept = back.map((id, place) => id ?? take(previous[place]));
  let highest = [...previous, ...removed].reduce((most, { id }) => Math.max(most, numberOf(id) ?? 0), used);
  const ids = kept.map((id) => id ?? `AC-${++highest}`);
  return { ids, used: highest };
}

function takeFrom(ids: Map<string, string>, text: string): string | undefined {
  const id = ids.get(text);
  ids.delete(text);
  return id;
}
