import type { CommandFacts, Output } from "../../../kernel/definitions/command.ts";
import { padText, widthOf, wrapText } from "../../../platform/terminal/text.ts";

/** How help looks: paragraphs, aligned terms and examples, in a width that can be read. */

const maxWidth = 80;
const indent = "  ";

export type Place = Pick<Output, "width" | "style">;
export type Term = [term: string, meaning: string];

export function widthFor({ width }: Place): number {
  return Math.max(40, Math.min(maxWidth, width ?? maxWidth));
}

export function sections(parts: string[][]): string {
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

/** `Usage:` and what may follow a command, wrapped. */
export function usageLines(command: string, words: string[], width: number): string[] {
  const start = `Usage: ${command}`;
  const lines = [start];
  for (const word of words) {
    const last = lines.at(-1) ?? "";
    if (widthOf(last) + 1 + widthOf(word) > width) lines.push(`${" ".repeat(start.length)} ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** A title and aligned terms with their meaning; nothing where there are none. */
export function definitions(title: string, terms: Term[], place: Place, column = columnFor(terms)): string[] {
  if (terms.length === 0) return [];
  const width = widthFor(place) - indent.length * 2 - column;
  const lines = terms.flatMap(([term, meaning]) => {
    const [first = "", ...rest] = wrapText(meaning, width);
    const left = place.style.cyan(padText(term, column));
    const overflows = widthOf(term) > column;
    const head = overflows ? [left, " ".repeat(column) + indent + first] : [left + indent + first];
    return [...head, ...rest.map((line) => " ".repeat(column) + indent + line)].map((line) =>
      (indent + line).trimEnd(),
    );
  });
  return [place.style.bold(title), ...lines];
}

export function columnFor(terms: Term[]): number {
  return Math.min(30, Math.max(0, ...terms.map(([term]) => widthOf(term))));
}

export function exampleLines(examples: CommandFacts["examples"], place: Place): string[] {
  if (examples.length === 0) return [];
  const lines = examples.flatMap(([line, meaning]) => [
    indent + place.style.cyan(line),
    ...wrapText(meaning, widthFor(place) - 6).map((text) => `      ${text}`),
  ]);
  return [place.style.bold("Examples:"), ...lines];
}
