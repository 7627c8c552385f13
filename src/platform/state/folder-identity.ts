import { statSync } from "node:fs";

/** Tells a folder from another one that takes its place later. */
export type FolderIdentity = { number: string; createdAt?: string | undefined };

export function identifyFolder(path: string): FolderIdentity | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats?.isDirectory()) return undefined;
  const { ino, birthtimeNs, ctimeNs } = stats;
  // Systems that do not know it say 0, or when the folder was last changed.
  const isKnown = birthtimeNs > 0n && birthtimeNs !== ctimeNs;
  return { number: String(ino), ...(isKnown && { createdAt: String(birthtimeNs) }) };
}

/** By the time where both have one: a number is given again, and some file systems change it with every mount. */
export function isSameFolder(one: FolderIdentity, other: FolderIdentity): boolean {
  if (one.createdAt !== undefined && other.createdAt !== undefined) return one.createdAt === other.createdAt;
  return one.number === other.number;
}
