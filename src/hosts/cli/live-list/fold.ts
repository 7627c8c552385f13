import { cut, plainLines, widthOf } from "../text.ts";

const tabWidth = 4;

/** Text from data as lines that fit a screen: broken between words, and within one that alone is too wide. */
export function fold(text: string, width: number): string[] {
  return plainLines(text)
    .split("\n")
    .flatMap((line) => foldLine(line.replaceAll("\t", " ".repeat(tabWidth)), Math.max(2, width)));
}

function foldLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (widthOf(rest) > width) {
    const fits = headOf(rest, width);
    const blank = fits.trimEnd() === fits ? fits.lastIndexOf(" ") + 1 : fits.length;
    // Not at the indentation: what is left would be as wide as before.
    const end = fits.slice(0, blank).trim() === "" ? fits.length : blank;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** As much of it as fits, without the mark that something was left out. */
function headOf(text: string, width: number): string {
  return cut(text, width + 1).slice(0, -1);
}
