import { ForgeError } from "../../../../kernel/errors.ts";
import { excerpt } from "../../../../kernel/quoting.ts";

type FileProblem = {
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
export function invalidBlocksFile({ source, line, column, within, what, expected }: FileProblem): ForgeError {
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
      next: ["Correct the file at that place, then read it again: forge block import."],
    },
  );
}
