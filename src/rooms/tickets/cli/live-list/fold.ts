import { plainLines, widthOf } from "../../../../platform/terminal/text.ts";

const tabWidth = 4;
const minWidth = 8;

/** Text as lines that fit a screen: broken between words, and within a word that is too wide. */
export function fold(text: string, width: number): string[] {
  return plainLines(text)
    .split("\n")
    .flatMap((line) => foldLine(line.replaceAll("\t", " ".repeat(tabWidth)), Math.max(2, width)));
}

/** Reads each character once: a line of a ticket can be very long. */
function foldLine(line: string, width: number): string[] {
  const lines: string[] = [];
  const indentation = " ".repeat(indentationOf(line, width));
  for (let start = 0; start < line.length || lines.length === 0; ) {
    const before = start === 0 ? "" : indentation;
    const end = breakIn(line, start, endOfFit(line, start, width - before.length));
    lines.push((before + line.slice(start, end)).trimEnd());
    start = end;
    while (line[start] === " ") start++;
  }
  return lines;
}

/** The indentation of the following lines: at most half of the screen. */
function indentationOf(line: string, width: number): number {
  return width < minWidth ? 0 : Math.min(line.length - line.trimStart().length, Math.floor(width / 2));
}

/** Where the part of the line that fits ends, including combining marks of its last character. */
function endOfFit(line: string, start: number, width: number): number {
  let [end, used] = [start, 0];
  while (end < line.length) {
    const character = String.fromCodePoint(line.codePointAt(end) ?? 0);
    used += widthOf(character);
    if (used > width) break;
    end += character.length;
  }
  return end;
}

/** After the last word that fits; within a word if that is the first. */
function breakIn(line: string, start: number, end: number): number {
  if (end === line.length || line[end] === " ") return end;
  const fitting = line.slice(start, end);
  const blank = fitting.lastIndexOf(" ");
  return fitting.slice(0, blank + 1).trim() === "" ? end : start + blank + 1;
}
