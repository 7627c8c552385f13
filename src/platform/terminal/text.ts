import { visible, visibleJson } from "../../kernel/text/visible.ts";

/** Text from data on one line, with what a terminal would obey instead of show made visible. */
export { visible as plain } from "../../kernel/text/visible.ts";

const ascii = /^[\x20-\x7e]*$/;
const betweenLayout = /[^\n\t]+/g;

/** The same, for text of several lines. */
export function plainLines(text: string): string {
  return text.replace(betweenLayout, visible);
}

/** JSON that shows nothing it does not say. */
export function plainJson(json: string): string {
  return json.replace(betweenLayout, visibleJson);
}

const wide = () =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;
const marks = () => /[\p{M}\u200d]/u;

/** Columns that plain text takes on a terminal. */
export function widthOf(text: string): number {
  if (ascii.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

function widthOfCharacter(character: string): number {
  if (marks().test(character)) return 0;
  return wide().test(character) ? 2 : 1;
}

/** At most `width` columns of plain text, ending in `…` where something was left out. */
export function truncate(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const character of text) {
    const next = widthOfCharacter(character);
    if (used + next > width - 1) break;
    kept += character;
    used += next;
  }
  return `${kept.replace(/\u200d$/, "")}…`;
}

export function padText(text: string, width: number, align: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(0, width - widthOf(text)));
  return align === "left" ? text + space : space + text;
}

/** Words in lines of at most `width` columns; a longer word has a line of its own. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    if (line !== "" && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}
