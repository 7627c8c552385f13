import { visible } from "./visible.ts";

const maxExcerpt = 60;

/** A short piece of foreign text, fit for a message. */
export function excerpt(text: string): string {
  const shown = visible(text.slice(0, maxExcerpt));
  return text.length > maxExcerpt ? `${shown}…` : shown;
}

/** Where in a text something is, counted from one, as editors do. */
export function spotOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) {
    line++;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}
