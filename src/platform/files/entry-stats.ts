import { type BigIntStats, fstatSync } from "node:fs";
import type { EntryKind, EntryStats } from "./root/file-opener.ts";

export function statsOf(descriptor: number): BigIntStats {
  return fstatSync(descriptor, { bigint: true });
}

export function kindOf(entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): EntryKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}

export function isSameFile(a: EntryStats, b: EntryStats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/** The same file, and nobody has written to it in between. */
export function isUntouched(before: EntryStats, now: EntryStats): boolean {
  return (
    isSameFile(before, now) &&
    before.size === now.size &&
    before.mtimeNs === now.mtimeNs &&
    before.ctimeNs === now.ctimeNs
  );
}
