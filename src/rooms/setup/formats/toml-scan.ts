/** One line of meaning in a TOML document, with its place; the document is known to be valid. */
export type Statement = {
  kind: "table" | "array" | "pair";
  key: string[];
  start: number;
  /** After the last character that belongs to it, on the last of its lines. */
  end: number;
  /** Of a pair: where its value is. */
  value?: { start: number; end: number };
};

const blank = /[ \t\r\n]/;
const bare = /[A-Za-z0-9_-]/;

export function scanToml(text: string): Statement[] {
  const statements: Statement[] = [];
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? "";
    if (blank.test(character)) at++;
    else if (character === "#") at = lineEnd(text, at);
    else {
      const statement = character === "[" ? header(text, at) : pair(text, at);
      statements.push(statement);
      at = Math.max(statement.end, at + 1);
    }
  }
  return statements;
}

function header(text: string, start: number): Statement {
  const kind = text.startsWith("[[", start) ? "array" : "table";
  const { key, end } = keyAt(text, start + (kind === "array" ? 2 : 1));
  return { kind, key, start, end: text.indexOf("]", end) + (kind === "array" ? 2 : 1) };
}

function pair(text: string, start: number): Statement {
  const { key, end: keyEnd } = keyAt(text, start);
  const valueStart = skipSpace(text, text.indexOf("=", keyEnd) + 1);
  const end = valueEnd(text, valueStart);
  return { kind: "pair", key, start, end, value: { start: valueStart, end } };
}

function keyAt(text: string, start: number): { key: string[]; end: number } {
  const key: string[] = [];
  let at = skipSpace(text, start);
  for (;;) {
    const quote = text[at];
    const end = quote === '"' || quote === "'" ? stringEnd(text, at) : bareEnd(text, at);
    const raw = text.slice(at, end);
    key.push(quote === '"' ? unescapeString(raw) : quote === "'" ? raw.slice(1, -1) : raw);
    at = skipSpace(text, end);
    if (text[at] !== ".") return { key, end: at };
    at = skipSpace(text, at + 1);
  }
}

function unescapeString(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}

function bareEnd(text: string, start: number): number {
  let at = start;
  while (bare.test(text[at] ?? "")) at++;
  return at;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

const steps: Record<string, number> = { "[": 1, "{": 1, "]": -1, "}": -1 };

/** Strings and brackets may span lines; anything else ends with its line or a comment. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  let last = start;
  for (let at = start; at < text.length; ) {
    const character = text[at] ?? "";
    if (depth === 0 && (character === "\n" || character === "#")) break;
    depth += steps[character] ?? 0;
    at = pieceEnd(text, at);
    if (character !== "#" && !blank.test(character)) last = at;
  }
  return last;
}

/** A string or a comment as one piece; otherwise a single character. */
function pieceEnd(text: string, at: number): number {
  const character = text[at];
  if (character === '"' || character === "'") return stringEnd(text, at);
  return character === "#" ? lineEnd(text, at) : at + 1;
}

function stringEnd(text: string, start: number): number {
  const quote = text[start] ?? "";
  const isLong = text.startsWith(quote.repeat(3), start);
  const mark = isLong ? quote.repeat(3) : quote;
  for (let at = start + mark.length; at < text.length; at++) {
    if (quote === '"' && text[at] === "\\") at++;
    else if (text.startsWith(mark, at)) return at + mark.length + (isLong ? extraQuotes(text, at + 3, quote) : 0);
  }
  return text.length;
}

/** A long string may end in one or two quotes of its own. */
function extraQuotes(text: string, at: number, quote: string): number {
  if (text[at] !== quote) return 0;
  return text[at + 1] === quote ? 2 : 1;
}
