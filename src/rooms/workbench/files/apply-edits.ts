import { ForgeError } from "../../../kernel/errors.ts";
import { shownPath } from "../../../platform/files/root/relative-path.ts";
import { detectLineEndings, toCrlf } from "./line-endings.ts";
import { findNearestLine } from "./nearest-line.ts";

export type Edit = { old_text: string; new_text: string; replace_all?: boolean | undefined };

const maxShownLines = 10;
const maxTextLength = 10 * 1_048_576;

/** Makes all edits, one after the other, or throws for the first that cannot be made. */
export function applyEdits(path: string, text: string, edits: readonly Edit[]): string {
  return edits.reduce((made, edit, index) => applyEdit({ path, index, total: edits.length }, made, edit), text);
}

type EditPosition = { path: string; index: number; total: number };

function applyEdit(which: EditPosition, text: string, edit: Edit): string {
  if (edit.old_text === edit.new_text)
    throw refused(which, "changes nothing: old_text and new_text are the same", {}, []);
  const { oldText, newText } = matchLineEndings(text, edit);
  const places = findPlaces(text, oldText);
  if (places.length === 0) throw notFound(which, text, edit.old_text);
  if (places.length > 1 && !edit.replace_all) throw foundOften(which, text, places);
  if (text.length + places.length * (newText.length - oldText.length) > maxTextLength)
    throw refused(which, `makes the file longer than ${maxTextLength} characters`, {}, ["Replace less at once."]);
  return replaceAt(text, places, oldText.length, newText);
}

/** Whoever writes an edit need not know how a file's lines end: with LF alone it fits one with CRLF, which it keeps. */
function matchLineEndings(text: string, { old_text, new_text }: Edit): { oldText: string; newText: string } {
  const ends = detectLineEndings(text);
  const asGiven = { oldText: old_text, newText: new_text };
  const converted = { oldText: toCrlf(old_text), newText: toCrlf(new_text) };
  if (ends === "crlf") return converted;
  return ends === "mixed" && !text.includes(old_text) ? converted : asGiven;
}

/** Where it is found, without overlap. */
function findPlaces(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function replaceAt(text: string, places: readonly number[], length: number, newText: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const place of places) {
    parts.push(text.slice(from, place), newText);
    from = place + length;
  }
  return [...parts, text.slice(from)].join("");
}

function notFound(which: EditPosition, text: string, oldText: string): ForgeError {
  const near = findNearestLine(text, oldText);
  const hint = near ? `; the nearest is line ${near.line}: ${JSON.stringify(near.text)}` : "";
  return refused(which, `was not found${hint}`, { found: 0, ...(near && { nearest_line: near.line }) }, [
    "Read the file again and copy old_text exactly, with its spaces; earlier edits of the same call count.",
  ]);
}

function foundOften(which: EditPosition, text: string, places: readonly number[]): ForgeError {
  const lines = findLineNumbers(text, places.slice(0, maxShownLines));
  const more = places.length > lines.length ? " and others" : "";
  return refused(
    which,
    `was found ${places.length} times, in lines ${lines.join(", ")}${more}, and once was expected`,
    { found: places.length, lines },
    ["Add lines around it to old_text until it is the only one, or set replace_all."],
  );
}

function findLineNumbers(text: string, places: readonly number[]): number[] {
  let [line, from] = [1, 0];
  return places.map((place) => {
    for (let end = text.indexOf("\n", from); end !== -1 && end < place; end = text.indexOf("\n", from)) {
      line++;
      from = end + 1;
    }
    return line;
  });
}

function refused(
  { path, index, total }: EditPosition,
  why: string,
  details: Record<string, unknown>,
  next: string[],
): ForgeError {
  const which = total === 1 ? "The old_text of the edit" : `The old_text of edit ${index + 1} of ${total}`;
  return new ForgeError("VALIDATION_ERROR", `${which} of ${shownPath(path)}: it ${why}. Nothing was changed.`, {
    details: { path, edit: index, ...details },
    next,
  });
}
