import { ForgeError } from "../../../kernel/errors.ts";
import { excerpt } from "../../../kernel/text/excerpt.ts";
import { limits } from "../model/limits.ts";

/** What is accepted at all, before a ticket's own limits. */
export const formatLimits = {
  /** Characters of a file. */
  text: 64 * 1_048_576,
  /** Nesting of objects and lists, or of elements. */
  depth: 64,
  /** Objects and lists, or elements, of a file: what is small as text can be large in memory. */
  parts: 1_000_000,
};

type Position = { line: number; column?: number };

type Unreadable = {
  /** The file's name, or another name for the text. */
  source: string;
  at?: Position | undefined;
  /** What is wrong, as a sentence without its full stop. */
  what: string;
  expected: string;
  next: string;
  details?: Record<string, unknown>;
};

/** The error for every text that cannot be read as a ticket: where, what was found, what was expected, what to do. */
export function unreadable({ source, at, what, expected, next, details }: Unreadable): ForgeError {
  const file = excerpt(source);
  const place = at ? `, line ${at.line}${at.column === undefined ? "" : `, column ${at.column}`}` : "";
  return new ForgeError("VALIDATION_ERROR", `${file}${place}: ${what}. Expected ${expected}.`, {
    details: { source: file, ...at, ...details },
    next: [next],
  });
}

export function emptyText(source: string): ForgeError {
  return unreadable({
    source,
    what: "the text is empty",
    expected: "a ticket as JSON, XML or Markdown",
    next: "Give a file with a ticket; the shortest is a line like `# Add logout`.",
  });
}

export function notATicket(source: string, what: string): ForgeError {
  return unreadable({
    source,
    what,
    expected: `a ticket with at least a title and at most ${formatLimits.depth} levels`,
    next: 'Give it a title, e.g. {"title": "Add logout"} in JSON or `# Add logout` in Markdown.',
  });
}

export function textTooLong(size: number, source: string): ForgeError {
  return unreadable({
    source,
    what: `the text has ${size} characters`,
    expected: `at most ${formatLimits.text}`,
    next: "Split the tickets into several files.",
    details: { size, limit: formatLimits.text },
  });
}

export function documentTooLarge(size: number, source: string): ForgeError {
  return unreadable({
    source,
    what: `the ticket has ${size} characters as JSON`,
    expected: `at most ${limits.ticket}`,
    next: "Split it into several tickets, or move long texts into files and refer to those.",
    details: { size, limit: limits.ticket },
  });
}

export function emptyList(source: string): ForgeError {
  return unreadable({
    source,
    what: "the list of tickets is empty",
    expected: "at least one ticket",
    next: 'Give an object with a title, e.g. {"title": "Add logout"}, or a list of such objects.',
  });
}

export function noTicketElement(element: { name: string; line: number }, source: string): ForgeError {
  const name = excerpt(element.name);
  return unreadable({
    source,
    at: { line: element.line },
    what: `<${name}> does not contain a ticket`,
    expected: "a <ticket> element, or <tickets> around several",
    next: "Export the ticket as XML again, or write it as JSON or Markdown.",
    details: { element: name },
  });
}

export function titleMissing(firstLine: { text: string; number: number } | undefined, source: string): ForgeError {
  return unreadable({
    source,
    at: { line: firstLine?.number ?? 1 },
    what: firstLine ? `there is no title; the text starts with: ${excerpt(firstLine.text)}` : "there is no title",
    expected: "a line like `# Add logout`",
    next: "Write the title in the first line, after `# `.",
  });
}

export function noFileNamed(line: { text: string; number: number }, source: string): ForgeError {
  return unreadable({
    source,
    at: { line: line.number },
    what: `this line under "File Changes" names no file: ${excerpt(line.text)}`,
    expected:
      "a row like `| src/a.ts | modify |` below `| Path | Action |` and `| --- | --- |`, or `- src/a.ts (modify)`",
    next: `Correct line ${line.number}, or move it to another section.`,
  });
}

export function frontMatterNotClosed(first: { number: number }, source: string): ForgeError {
  return unreadable({
    source,
    at: { line: first.number },
    what: "the front matter that starts with --- is never closed",
    expected: "another line of --- after it",
    next: "Add the line, or remove the first one.",
  });
}

type FactLine = { text: string; number: number };

export function invalidFact(line: FactLine, source: string, what: string, names: readonly string[]): ForgeError {
  return unreadable({
    source,
    at: { line: line.number },
    what: `${what}: ${excerpt(line.text)}`,
    expected: 'a line like status: "READY"',
    next: `Correct line ${line.number}; the names are ${names.join(", ")}.`,
  });
}
