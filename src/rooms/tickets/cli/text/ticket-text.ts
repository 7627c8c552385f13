import { plain, widthOf } from "../../../../platform/terminal/text.ts";

/** Text from a ticket as lines that are safe to show. */
export function safeLines(text: string): string[] {
  return text.trimEnd().split(/\r?\n/).map(plainButTabs);
}

function plainButTabs(line: string): string {
  return line.split("\t").map(plain).join("\t");
}

/** A label and a text; further lines of the text are aligned with its first. */
export function formatLabelled(label: string, text: string): string[] {
  const start = `  ${plain(label)}  `;
  return safeLines(text).map((line, index) =>
    (index === 0 ? start : " ".repeat(widthOf(start))).concat(line).trimEnd(),
  );
}
