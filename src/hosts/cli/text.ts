const ascii = /^[\x20-\x7e]*$/;
const asciiLines = /^[\x20-\x7e\n\t]*$/;

/**
 * Characters that move the cursor, hide or reorder text: control, format (bidi, zero width, tags), lone surrogates, separators.
 * Made when first needed, as below: what names classes of Unicode costs a start several milliseconds.
 */
const unseen = () => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const unseenButLayout = () => /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text from data on one line, with what a terminal would obey instead of show made visible. */
export function plain(text: string): string {
  return ascii.test(text) ? text : text.replace(unseen(), visible);
}

/** The same, for text of several lines. */
export function plainLines(text: string): string {
  return asciiLines.test(text) ? text : text.replace(unseenButLayout(), visible);
}

/** JSON that shows nothing it does not say; still JSON, as the escapes are its own. */
export function plainJson(json: string): string {
  if (asciiLines.test(json)) return json;
  return json.replace(unseenButLayout(), (character) =>
    Array.from({ length: character.length }, (_, index) => unicodeEscape(character.charCodeAt(index))).join(""),
  );
}

function visible(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  if (character === "\t") return "\\t";
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\u{${code.toString(16)}}`;
  return code > 0xff ? unicodeEscape(code) : `\\x${code.toString(16).padStart(2, "0")}`;
}

function unicodeEscape(code: number): string {
  return `\\u${code.toString(16).padStart(4, "0")}`;
}

const wide = () =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;
const combining = () => /\p{M}/u;

/** Columns that plain text takes on a terminal. */
export function widthOf(text: string): number {
  if (ascii.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

function widthOfCharacter(character: string): number {
  if (combining().test(character)) return 0;
  return wide().test(character) ? 2 : 1;
}

/** At most `width` columns of plain text, ending in `…` where something was left out. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const character of text) {
    const next = widthOfCharacter(character);
    if (used + next > width - 1) break;
    kept += character;
    used += next;
  }
  return `${kept}…`;
}

export function pad(text: string, width: number, align: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(0, width - widthOf(text)));
  return align === "left" ? text + space : space + text;
}

/** Words in lines of at most `width` columns; a longer word has a line of its own. */
export function wrap(text: string, width: number): string[] {
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
