import { ForgeError } from "../../../kernel/errors.ts";
import { excerpt } from "../../../kernel/quoting.ts";

/** What is accepted at all, before a ticket's own limits. */
export const formatLimits = {
  /** Characters of a whole file. */
  text: 64 * 1_048_576,
  /** Objects and lists, or elements, within each other. */
  depth: 64,
  /** Objects and lists, or elements, of a whole file: what is small as text can be large in memory. */
  parts: 1_000_000,
};

type Spot = { line: number; column?: number };

type Refusal = {
  /** The file's name, or what else the text is known by. */
  source: string;
  at?: Spot | undefined;
  /** What is wrong, as a sentence without its full stop. */
  what: string;
  expected: string;
  next: string;
  details?: Record<string, unknown>;
};

/** The one error for a text that is no ticket. */
export function unreadable({ source, at, what, expected, next, details }: Refusal): ForgeError {
  const file = excerpt(source);
  const place = at ? `, line ${at.line}${at.column === undefined ? "" : `, column ${at.column}`}` : "";
  return new ForgeError("VALIDATION_ERROR", `${file}${place}: ${what}. Expected ${expected}.`, {
    details: { source: file, ...at, ...details },
    next: [next],
  });
}
