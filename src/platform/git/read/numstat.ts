import { readFileSync } from "node:fs";
import { join } from "node:path";
import { entryAt } from "../../files/entry-at.ts";

const maxBytes = 32 * 1024 * 1024;
const newline = 0x0a;

export type ChangedFile = { path: string; additions: number; deletions: number };

/** What `git diff --numstat -z` says. A binary file has dashes for numbers: no lines. */
export function readNumstat(output: string, limit: number): ChangedFile[] {
  return output
    .split("\0")
    .filter((entry) => entry !== "")
    .slice(0, limit)
    .flatMap((entry) => {
      const [additions, deletions, ...path] = entry.split("\t");
      if (path.length === 0) return [];
      return [{ path: path.join("\t"), additions: count(additions), deletions: count(deletions) }];
    });
}

function count(text = ""): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

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
