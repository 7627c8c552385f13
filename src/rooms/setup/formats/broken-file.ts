import { ForgeError } from "../../../kernel/errors.ts";

/** A file that cannot be understood, by what it is called and where in it the trouble is. Its content is never quoted. */
export function brokenFile(file: string, line: number, what: string, next: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${file}, line ${line}: ${what}. Nothing was changed.`, {
    details: { file, line },
    next: [next],
  });
}

const conflictMark = /^(?:<{7}|>{7})(?: |$)/;

/** Throws where git left an unresolved merge in the file: any other message about it would mislead. */
export function assertMerged(file: string, text: string): void {
  const index = text.split(/\r?\n/).findIndex((line) => conflictMark.test(line));
  if (index < 0) return;
  throw brokenFile(file, index + 1, "there is an unresolved merge conflict", "Resolve it, then run the command again.");
}
