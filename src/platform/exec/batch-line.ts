import { ForgeError } from "../../kernel/errors.ts";

/** What `cmd.exe` obeys even between quotes, or takes for the end of them. */
const obeyed = /["%\r\n\0]/;

/**
 * The line that has `cmd.exe /d /s /c` run a batch file, which is what npm puts on Windows' search path. Between quotes
 * `&`, `|`, `<`, `>` and `^` are only characters; what would still mean something is refused.
 */
export function batchLine(file: string, args: readonly string[]): string {
  return `"${[file, ...args].map(quoted).join(" ")}"`;
}

function quoted(word: string): string {
  if (obeyed.test(word))
    throw new ForgeError("VALIDATION_ERROR", `A batch file cannot be given ${JSON.stringify(word.slice(0, 100))}.`, {
      next: ['Leave out ", % and line ends, or name the program that the batch file starts.'],
    });
  // A backslash before the closing quote would keep the started program from seeing it.
  let trailing = 0;
  while (word.at(-1 - trailing) === "\\") trailing++;
  return `"${word}${"\\".repeat(trailing)}"`;
}
