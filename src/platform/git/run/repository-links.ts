import { type Dirent, readdirSync, readlinkSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { join, relative, sep } from "node:path";
import { realPathOf } from "../../files/real-place.ts";
import { isInside, type RepositoryLocation, refusedRepository } from "./locate-repository.ts";

/** What git only reads, and people keep elsewhere on purpose. Hooks are checked by content before they run. */
const mayLeadOut = new Set(["annex", "config", "description", "hooks", "info", "lfs"]);

/** Folders of a git directory in which git writes, or reads what it repeats in its messages, with how deep it does. */
const ownFolders: [folder: string, depth: number][] = [
  ["", 0],
  ["info", 0],
  ["objects", 0],
  ["objects/info", 0],
  ["objects/pack", 0],
  ["worktrees", 1],
  ["refs", Number.POSITIVE_INFINITY],
  ["logs", Number.POSITIVE_INFINITY],
];

/** Looked through once: links that a program puts there while Forge works are beyond what can be prevented. */
const known = new Set<string>();

/**
 * Throws where a link in the git directory leads out of it. Git follows links there: it would show another repository's history as
 * this one's, write branches there, and add a line to, or replace, whatever file a log or the commit message leads to. And where
 * something is neither file nor folder, as an archive can bring it: whoever reads a pipe waits for ever.
 */
export function refuseLinksOut({ gitDir, commonDir }: RepositoryLocation): void {
  for (const folder of new Set([commonDir, gitDir])) {
    if (known.has(folder)) continue;
    const found = findFault(folder, commonDir);
    if (found) throw refusedRepository(found.path, found.why);
    known.add(folder);
  }
}

function findFault(gitDir: string, commonDir: string): { path: string; why: string } | undefined {
  const folders = ownFolders.map(([name, depth]) => ({ place: join(gitDir, name), depth }));
  for (let folder = folders.shift(); folder; folder = folders.shift()) {
    const { place, depth } = folder;
    for (const entry of listEntries(place)) {
      // Git has no such names: an editor's lock on a file, which is a link that leads nowhere.
      if (entry.name.startsWith(".")) continue;
      const path = join(place, entry.name);
      if (entry.isDirectory() && depth > 0) folders.push({ place: path, depth: depth - 1 });
      if (isPipeOrDevice(entry, path)) return { path, why: "is a pipe or a device" };
      if (!entry.isSymbolicLink() || isReadOnly(gitDir, path)) continue;
      if (leadsOut(path, gitDir, commonDir)) return { path, why: "is a link that leads out of the repository" };
    }
  }
  return undefined;
}

function isReadOnly(gitDir: string, path: string): boolean {
  const [first = ""] = relative(gitDir, path).split(sep);
  return mayLeadOut.has(first);
}

/** Also behind a link. A socket is git's own: its file system monitor listens there. And people link hooks to nowhere. */
function isPipeOrDevice(entry: Dirent, path: string): boolean {
  const place = entry.isSymbolicLink() ? realPathOf(path) : path;
  if (place === undefined || place === devNull) return false;
  const found = entry.isSymbolicLink() ? statSync(place, { throwIfNoEntry: false }) : entry;
  return found !== undefined && (found.isFIFO() || found.isCharacterDevice() || found.isBlockDevice());
}

/** Also true where there is nothing yet: git would make it. */
function leadsOut(path: string, gitDir: string, commonDir: string): boolean {
  const place = realPathOf(path);
  if (place !== undefined) return !isInside(place, commonDir);
  // An old form of naming another branch, which git does not follow as a link.
  const isRef = /^(?:HEAD|refs[\\/].+)$/.test(relative(gitDir, path));
  return !isRef || !/^refs\/(?!.*\.\.)/.test(readlinkSync(path));
}

function listEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
