import { Automaton } from "./automaton.ts";
import { literal, parseExpression } from "./expression.ts";
import { reversed } from "./syntax.ts";

/** A line with a match in it: its number from 1, where it is in the text, and where in it the first match begins. */
export type MatchingLine = { line: number; from: number; to: number; at: number };

export type LineMatcher = {
  /** Bytes that every match has in it, where that is known; a file without them need not be looked through. */
  needs: Buffer | undefined;
  lines(text: string): Iterable<MatchingLine>;
};

export function lineMatcher(query: string, options: { regex: boolean; caseSensitive: boolean }): LineMatcher {
  if (!options.regex && options.caseSensitive)
    return { needs: Buffer.from(query), lines: (text) => linesWith(query, text) };
  const pattern = options.regex ? parseExpression(query, !options.caseSensitive) : literal(query, true);
  const forwards = new Automaton(pattern, "anywhere");
  const backwards = new Automaton(reversed(pattern), "here");
  const find = (text: string, from: number, to: number) => {
    const end = forwards.firstEnd(text, from, to);
    return end === -1 ? -1 : backwards.farthestStart(text, from, end, to);
  };
  return { needs: undefined, lines: (text) => linesWhere(find, text) };
}

function* linesWith(query: string, text: string): Iterable<MatchingLine> {
  let line = 1;
  let from = 0;
  for (let at = text.indexOf(query); at !== -1; at = text.indexOf(query, from)) {
    for (let end = text.indexOf("\n", from); end !== -1 && end < at; end = text.indexOf("\n", from)) {
      line++;
      from = end + 1;
    }
    const next = nextLine(text, from);
    yield { line, from, to: lineEndBefore(text, from, next), at };
    if (next > text.length) return;
    line++;
    from = next;
  }
}

function* linesWhere(find: (text: string, from: number, to: number) => number, text: string): Iterable<MatchingLine> {
  for (let line = 1, from = 0; from < text.length; line++) {
    const next = nextLine(text, from);
    const to = lineEndBefore(text, from, next);
    const at = find(text, from, to);
    if (at !== -1) yield { line, from, to, at };
    from = next;
  }
}

/** Where the next line begins; past the text's end where there is none. */
function nextLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length + 1 : end + 1;
}

/** Without what ends the line, on any system. */
function lineEndBefore(text: string, from: number, next: number): number {
  const end = next - 1;
  return end > from && text[end - 1] === "\r" ? end - 1 : end;
}
