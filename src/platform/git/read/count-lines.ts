import { readFileSync } from "node:fs";
import { join } from "node:path";
import { entryAt } from "../../files/entry-at.ts";

const maxBytes = 32 * 1024 * 1024;
const newline = 0x0a;

/** The lines of a file that git does not know yet, as `git diff --numstat` would count them: a binary file has none. */
export function countLines(workTree: string, path: string): number {
  const file = join(workTree, path);
  const entry = entryAt(file);
  if (!entry?.isFile() || entry.size > maxBytes) return 0;
  try {
    return linesIn(readFileSync(file));
  } catch {
    // It is named all the same: that it exists is certain.
    return 0;
  }
}

function linesIn(bytes: Buffer): number {
  if (bytes.includes(0)) return 0;
  let lines = 0;
  for (const byte of bytes) if (byte === newline) lines++;
  return bytes.length > 0 && bytes.at(-1) !== newline ? lines + 1 : lines;
}
