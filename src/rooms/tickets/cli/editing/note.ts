import { plain } from "../../../../platform/terminal/text.ts";

const opening = "<!-- forge edit: ";
const closing = "-->";

/** The text with a word to its writer at the top. */
export function withNote(text: string, lines: readonly string[]): string {
  const note = lines.map((line) => plain(line).replaceAll("--", "- -")).join("\n");
  return `${opening}${note}\nThis note goes when you save; lines are counted below it. ${closing}\n${text}`;
}

/** The text as its writer means it. */
export function withoutNote(text: string): string {
  if (!text.startsWith(opening)) return text;
  const end = text.indexOf(closing);
  return end < 0 ? text : text.slice(end + closing.length).replace(/^\r?\n/, "");
}
