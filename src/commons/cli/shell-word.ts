import { plain } from "../../platform/terminal/text.ts";

/** A word as every shell takes it: quoted where it holds more than letters that mean nothing to one. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${plain(text).replaceAll("'", `'\\''`)}'`;
}
