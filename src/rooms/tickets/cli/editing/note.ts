import { plain } from "../../../../platform/terminal/text.ts";

const opening = "<!-- forge edit: ";
const closing = "-->";

/** The text with a note to its writer at the top. */
export function withNote(text: string, lines: readonly string[]): string {
  const note = lines.map((line) => plain(line).replaceAll("--", "- -")).join("\n");
  return `${opening}${note}\nThis note is removed when you save; line numbers count from below it. ${closing}\n${text}`;
}

/** The text without the note. */
export function withoutNote(text: string): string {
  if (!text.startsWith(opening)) return text;
  const end = text.indexOf(closing);
  return end < 0 ? text : text.slice(end + closing.length).replace(/^\r?\n/, "");
}
