import { lstatSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";
import { entryAt } from "./entry-at.ts";

/** What a folder is, whatever its name: two folders never have both in common at the same time. */
type Identity = { dev: bigint; ino: bigint };
/** `hasGit`: it was a repository of its own. */
type Pin = Identity & { users: number; hasGit: boolean };

const pinned = new Map<string, Pin>();

/**
 * Holds a project's folder to what it is now. A server runs for days: somebody could put a link or another folder in its place,
 * and it would read and write there. Returns how to let it go.
 */
export function pinFolder(path: string): () => void {
  const identity = identify(path);
  if (!identity) return () => undefined;
  const hasGit = entryAt(join(path, ".git")) !== undefined;
  const paths = [...new Set([path, realpathSync.native(path)])];
  for (const one of paths) {
    const users = pinned.get(one)?.users ?? 0;
    pinned.set(one, { ...identity, hasGit, users: users + 1 });
  }
  return () => {
    for (const one of paths.splice(0)) {
      const held = pinned.get(one);
      if (held && held.users > 1) pinned.set(one, { ...held, users: held.users - 1 });
      else pinned.delete(one);
    }
  };
}

/** Throws if a pinned folder that this path is in, or is, was replaced. */
export function requirePinned(path: string): void {
  for (const [folder, { dev, ino }] of pinned) {
    if (path !== folder && !path.startsWith(folder + sep)) continue;
    const now = identify(folder);
    if (now?.dev !== dev || now.ino !== ino) throw replacedFolder(folder);
  }
}

/**
 * Throws if a pinned folder was a repository and this path is now in one around it: without its own `.git`, git would read and
 * change another project.
 */
export function requirePinnedRepository(path: string, workTree: string): void {
  for (const [folder, { hasGit }] of pinned) {
    const isInside = path === folder || path.startsWith(folder + sep);
    if (hasGit && isInside && folder.startsWith(workTree === sep ? sep : workTree + sep)) throw missingGit(folder);
  }
}

/** Undefined if it is not a folder, or is gone. The last part of the path may be a link only while nothing is pinned there. */
function identify(path: string): Identity | undefined {
  try {
    const stats = lstatSync(pinned.has(path) ? path : realpathSync.native(path), { bigint: true });
    return stats.isDirectory() ? { dev: stats.dev, ino: stats.ino } : undefined;
  } catch {
    return undefined;
  }
}

function replacedFolder(path: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `${path} is not the folder that Forge was started in: it was replaced by another one or by a link, or removed.`,
    { details: { path }, next: ["Restart Forge in the folder that you mean."] },
  );
}

function missingGit(path: string): ForgeError {
  return new ForgeError("PERMISSION_DENIED", `${path} no longer has a .git, and is inside another repository.`, {
    details: { path },
    next: ["Put the project's .git back, or restart Forge to work in the other repository."],
  });
}
