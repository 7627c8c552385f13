import { ForgeError } from "../../../../kernel/errors.ts";
import { visible } from "../../../../kernel/visible.ts";

type Refusal = {
  /** The file's name, or what else the text is known by. */
  source: string;
  line?: number | undefined;
  column?: number | undefined;
  /** Where in the file, in its own words: `block AuthService, task TMy3c6`. */
  within?: string | undefined;
  /** What is wrong, as a sentence without its full stop. */
  what: string;
  expected: string;
};

/** The one error for a text that is no file of blocks. */
export function refusal({ source, line, column, within, what, expected }: Refusal): ForgeError {
  const place = [
    excerpt(source),
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(column === undefined ? [] : [`column ${column}`]),
    ...(within === undefined ? [] : [within]),
  ];
  return new ForgeError(
    "VALIDATION_ERROR",
    `${place.join(", ")}: ${what}. Expected ${expected}. Nothing was imported.`,
    {
      details: {
        source: excerpt(source),
        ...(line !== undefined && { line }),
        ...(column !== undefined && { column }),
      },
      suggestions: ["Correct the file at that place, then read it again: forge block import."],
    },
  );
}

/** A short piece of foreign text, fit for a message. */
export function excerpt(text: string): string {
  const shown = visible(text.slice(0, 60));
  return text.length > 60 ? `${shown}…` : shown;
}

/** Counted from one, as editors do. */
export function spotOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) {
    line++;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}
