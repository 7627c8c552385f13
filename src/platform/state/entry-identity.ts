import { type BigIntStats, statSync } from "node:fs";

/** Tells a folder or file from another one that takes its place later. */
export type EntryIdentity = { number: string; createdAt?: string | undefined };

export function identifyFolder(path: string): EntryIdentity | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats?.isDirectory() ? identityOf(stats) : undefined;
}

export function identifyFile(path: string): EntryIdentity | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() ? identityOf(stats) : undefined;
}

function identityOf({ ino, birthtimeNs, ctimeNs }: BigIntStats): EntryIdentity {
  // Systems that do not know it say 0, or when the folder was last changed.
  const isKnown = birthtimeNs > 0n && birthtimeNs !== ctimeNs;
  return { number: String(ino), ...(isKnown && { createdAt: String(birthtimeNs) }) };
}

/** By the time where both have one: a number is given again, and some file systems change it with every mount. */
export function isSameEntry(one: EntryIdentity, other: EntryIdentity): boolean {
  if (one.createdAt !== undefined && other.createdAt !== undefined) return one.createdAt === other.createdAt;
  return one.number === other.number;
}
