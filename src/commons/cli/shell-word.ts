import { plain } from "../../platform/terminal/text.ts";

/** A word as every shell takes it: quoted where it holds more than letters that mean nothing to one. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : quoteForShell(plain(text));
}

/** The same bytes as one word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
