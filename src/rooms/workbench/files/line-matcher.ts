import { loadRe2 } from "../../../commons/patterns/re2.ts";
import { costlyExpression, invalidExpression } from "./errors.ts";

/** A line with a match: its number from 1, its place in the text, and where its first match begins. */
export type MatchingLine = { line: number; from: number; to: number; at: number };

export type LineMatcher = {
  /** Bytes that every match contains, if known; a file without them need not be searched. */
  needs: Buffer | undefined;
  /** Longer lines would take too long with this expression. */
  maxLineLength: number;
  /** Every matching line, and now and then undefined, so that a caller can let others run. */
  lines(text: string): Iterable<MatchingLine | undefined>;
};

/** A query of 1,000 characters stays below this unless it repeats something many times. */
const maxProgramSize = 1_200;
/** Steps for one line at most: about a second. */
const maxLineWork = 60_000_000;
const linesPerTurn = 200;

export async function createLineMatcher(
  query: string,
  { regex, caseSensitive }: { regex: boolean; caseSensitive: boolean },
): Promise<LineMatcher> {
  if (!regex && caseSensitive)
    return {
      needs: Buffer.from(query),
      maxLineLength: Number.POSITIVE_INFINITY,
      lines: (text) => linesContaining(query, text),
    };
  const RE2JS = await loadRe2();
  const expression = compile(RE2JS, regex ? query : RE2JS.quote(query), caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  const find = (line: string) => {
    if (!expression.test(line)) return -1;
    const matcher = expression.matcher(line);
    return matcher.find() ? matcher.start() : -1;
  };
  return {
    needs: undefined,
    maxLineLength: Math.floor(maxLineWork / expression.programSize()),
    lines: (text) => linesWhere(find, text),
  };
}

type Re2 = Awaited<ReturnType<typeof loadRe2>>;

function compile(RE2JS: Re2, source: string, flags: number) {
  if (/(?<!\\)(?:\\\\)*\\[nr]/.test(source))
    throw invalidExpression("a match is within one line, so \\n never matches");
  let expression: ReturnType<Re2["compile"]>;
  try {
    // Characters are also written as in JavaScript.
    expression = RE2JS.compile(source.replace(/\\u([0-9A-Fa-f]{4})/g, "\\x{$1}"), flags);
  } catch (error) {
    throw invalidExpression(error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : "unknown");
  }
  if (expression.programSize() > maxProgramSize) throw costlyExpression();
  return expression;
}

function* linesContaining(query: string, text: string): Iterable<MatchingLine> {
  let line = 1;
  let from = 0;
  for (let at = text.indexOf(query); at !== -1; at = text.indexOf(query, from)) {
    for (let end = text.indexOf("\n", from); end !== -1 && end < at; end = text.indexOf("\n", from)) {
      line++;
      from = end + 1;
    }
    const next = findNextLine(text, from);
    yield { line, from, to: findLineEnd(text, from, next), at };
    if (next > text.length) return;
    line++;
    from = next;
  }
}

function* linesWhere(find: (line: string) => number, text: string): Iterable<MatchingLine | undefined> {
  for (let line = 1, from = 0; from < text.length; line++) {
    const next = findNextLine(text, from);
    const to = findLineEnd(text, from, next);
    const at = find(text.slice(from, to));
    if (at !== -1) yield { line, from, to, at: from + at };
    else if (line % linesPerTurn === 0) yield undefined;
    from = next;
  }
}

/** Where the next line begins; past the end of the text on the last line. */
function findNextLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length + 1 : end + 1;
}

/** Without the line ending, LF or CRLF. */
function findLineEnd(text: string, from: number, next: number): number {
  const end = next - 1;
  return end > from && text[end - 1] === "\r" ? end - 1 : end;
}
