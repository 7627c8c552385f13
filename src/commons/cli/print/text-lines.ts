import { plain, widthOf } from "../../../platform/terminal/text.ts";

/** Text from data as lines that are safe to show on a terminal. */
export function safeLines(text: string): string[] {
  return text.trimEnd().split(/\r?\n/).map(escapeLine);
}

function escapeLine(line: string): string {
  return line.split("\t").map(plain).join("\t");
}

/** A label and a text, with further lines aligned under the first. */
export function hangingLines(label: string, text: string): string[] {
  const start = `  ${plain(label)}  `;
  return safeLines(text).map((line, index) =>
    (index === 0 ? start : " ".repeat(widthOf(start))).concat(line).trimEnd(),
  );
}
