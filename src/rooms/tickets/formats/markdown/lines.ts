const fenceMark = /^(?:`{3,}|~{3,})/;
const onlyFence = /^(?:`{3,}|~{3,})[ \t]*$/;
const escaped = /^\\+(?:#|`{3}|~{3}|<!-- forge:)/;
const alwaysEscaped = /^\\*(?:`{3}|~{3}|<!-- forge:)/;

export type Line = { text: string; number: number; fenced: boolean };

/**
 * Lines, marked where they are in a fenced block, in which nothing is a heading. A fence that is never closed does not count:
 * one forgotten line must not swallow the sections after it.
 */
export function markdownLines(texts: string[], firstNumber = 1): Line[] {
  const lines: Line[] = texts.map((text, index) => ({ text, number: firstNumber + index, fenced: false }));
  const unclosed: Record<string, number> = {};
  for (let at = 0; at < lines.length; at++) {
    const mark = texts[at]?.match(fenceMark)?.[0];
    const kind = mark?.[0];
    if (mark === undefined || kind === undefined || mark.length >= (unclosed[kind] ?? Number.POSITIVE_INFINITY))
      continue;
    const end = closingFence(texts, at, mark);
    if (end < 0) unclosed[kind] = mark.length;
    else {
      for (const line of lines.slice(at, end + 1)) line.fenced = true;
      at = end;
    }
  }
  return lines;
}

function closingFence(texts: string[], start: number, mark: string): number {
  for (let at = start + 1; at < texts.length; at++)
    if (texts[at]?.startsWith(mark) && onlyFence.test(texts[at] ?? "")) return at;
  return -1;
}

/** Escapes lines that would be read as part of the ticket's structure. */
export function asBody(text: string, isStructural: (line: string) => boolean): string {
  return markdownLines(text.split("\n"))
    .map(({ text: line, fenced }) =>
      !fenced && (alwaysEscaped.test(line) || escaped.test(line) || isStructural(line)) ? `\\${line}` : line,
    )
    .join("\n");
}

/** The text of a body, without the escapes of {@link asBody}. */
export function bodyText(lines: Line[]): string | undefined {
  const texts = lines.map(({ text, fenced }) => (!fenced && escaped.test(text) ? text.slice(1) : text));
  return texts.join("\n").trim() || undefined;
}

export function isBlank({ text }: Line): boolean {
  return text.trim() === "";
}
