import { linkSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

type Spellings = readonly [string, string];

/** A folder in which two spellings are two files, or the same file (by links), as on some file systems. */
export function twoSpellings({ apart = [], same = [] }: { apart?: readonly Spellings[]; same?: readonly Spellings[] }) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "forge-spellings-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const name of apart.flat()) writeFileSync(join(root, name), name);
  for (const [one, other] of same) {
    writeFileSync(join(root, one), one);
    linkSync(join(root, one), join(root, other));
  }
  return root;
}
