import { brokenFile } from "../errors.ts";

const conflictMark = /^(?:<{7}|>{7})(?: |$)/;

/** Throws for a file with an unresolved merge conflict: any other message about it would mislead. */
export function requireMerged(file: string, text: string): void {
  const index = text.split(/\r?\n/).findIndex((line) => conflictMark.test(line));
  if (index < 0) return;
  throw brokenFile(file, index + 1, "there is an unresolved merge conflict", "Resolve it, then run the command again.");
}
