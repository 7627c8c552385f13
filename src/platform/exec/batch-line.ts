import { ForgeError } from "../../kernel/errors.ts";

/** What `cmd.exe` obeys even between quotes, or takes for the end of them. */
const obeyedInQuotes = /["%\r\n\0]/;

/**
 * The line that has `cmd.exe /d /s /c` run a batch file, which is what npm puts on Windows' search path. Between quotes
 * `&`, `|`, `<`, `>` and `^` are only characters; what would still mean something is refused.
 */
export function batchLine(file: string, args: readonly string[]): string {
  return `"${[file, ...args].map(quoteWord).join(" ")}"`;
}

function quoteWord(word: string): string {
  if (obeyedInQuotes.test(word))
    throw new ForgeError(
      "VALIDATION_ERROR",
      `${JSON.stringify(word.slice(0, 100))} cannot be passed to a batch file.`,
      {
        next: ['Leave out ", % and line breaks, or use the program that the batch file starts.'],
      },
    );
  // A backslash before the closing quote would keep the started program from seeing it.
  let trailing = 0;
  while (word.at(-1 - trailing) === "\\") trailing++;
  return `"${word}${"\\".repeat(trailing)}"`;
}
