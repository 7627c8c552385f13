import {
  type EditPosition,
  editAmbiguous,
  editNotFound,
  editReveals,
  editTooLong,
  editWithoutEffect,
} from "./errors.ts";
import { isSeenAt, listHidden, revealsHidden } from "./hidden-parts.ts";
import { detectLineEndings, toCrlf } from "./line-endings.ts";
import { findNearestLine } from "./nearest-line.ts";

export type Edit = { old_text: string; new_text: string; replace_all?: boolean | undefined };

const maxShownLines = 10;
const maxTextLength = 10 * 1_048_576;

/** The text without what must not be shown, line by line. */
type ShowLines = (text: string) => string;

/**
 * Makes all edits, one after the other, or throws for the first that cannot be made. Errors quote what `show` leaves of the text; what
 * it hides is not found, and stays hidden.
 */
export function applyEdits(path: string, text: string, edits: readonly Edit[], show: ShowLines): string {
  return edits.reduce((made, edit, index) => applyEdit({ path, index, total: edits.length }, made, edit, show), text);
}

function applyEdit(position: EditPosition, text: string, edit: Edit, show: ShowLines): string {
  if (edit.old_text === edit.new_text) throw editWithoutEffect(position);
  const { oldText, newText } = matchLineEndings(text, edit);
  const shown = show(text);
  const hidden = listHidden(text, shown);
  const places = findPlaces(text, oldText).filter((at) => isSeenAt(at, oldText.length, hidden));
  if (places.length === 0) throw editNotFound(position, findNearestLine(shown, edit.old_text));
  if (places.length > 1 && !edit.replace_all)
    throw editAmbiguous(position, places.length, findLineNumbers(text, places.slice(0, maxShownLines)));
  if (text.length + places.length * (newText.length - oldText.length) > maxTextLength)
    throw editTooLong(position, maxTextLength);
  const edited = replaceAt(text, places, oldText.length, newText);
  const before = { text, shown, hidden };
  if (hidden.length > 0 && revealsHidden(before, show(edited), [oldText, newText])) throw editReveals(position);
  return edited;
}

/** An edit need not know how the file's lines end: with LF it also fits a file with CRLF, which keeps its line endings. */
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
