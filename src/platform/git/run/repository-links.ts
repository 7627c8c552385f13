import { type Dirent, readdirSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { realPathOf } from "../../files/real-place.ts";
import { isInside, type RepositoryLocation, refusedRepository } from "./locate-repository.ts";

/** What git only reads, and people keep elsewhere on purpose. Hooks are checked by content before they run. */
const mayLeadOut = new Set(["annex", "config", "description", "hooks", "info", "lfs"]);

/** Folders of a git directory in which git writes, or reads what it repeats in its messages, with how deep it does. */
const ownFolders: [folder: string, depth: number][] = [
  ["", 0],
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
 * this one's, write branches there, and add a line to, or replace, whatever file a log or the commit message leads to.
 */
export function refuseLinksOut({ gitDir, commonDir }: RepositoryLocation): void {
  for (const folder of new Set([commonDir, gitDir])) {
    if (known.has(folder)) continue;
    const found = findLinkOut(folder, commonDir);
    if (found !== undefined) throw refusedRepository(found, "is a link that leads out of the repository");
    known.add(folder);
  }
}

function findLinkOut(gitDir: string, commonDir: string): string | undefined {
  const folders = ownFolders.map(([name, depth]) => ({ place: join(gitDir, name), depth }));
  for (let folder = folders.shift(); folder; folder = folders.shift()) {
    const { place, depth } = folder;
    for (const entry of listEntries(place)) {
      // Git has no such names: an editor's lock on a file, which is a link that leads nowhere.
      if (entry.name.startsWith(".")) continue;
      const path = join(place, entry.name);
      if (entry.isDirectory() && depth > 0) folders.push({ place: path, depth: depth - 1 });
      if (!entry.isSymbolicLink() || (place === gitDir && mayLeadOut.has(entry.name))) continue;
      if (leadsOut(path, gitDir, commonDir)) return path;
    }
  }
  return undefined;
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
