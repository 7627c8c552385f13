import { join } from "node:path";
import { cloneFolder } from "../../../platform/files/clone-folder.ts";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { realPathOf, realPlace } from "../../../platform/files/real-place.ts";
import { listFolder } from "../../../platform/files/root/list-folder.ts";
import { readSmallFile } from "../../../platform/files/small-file.ts";
import { isFolder } from "../../../platform/state/project.ts";

const lockFiles = [
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
  "bun.lockb",
  "package.json",
];
const maxLockBytes = 64 * 1_048_576;
const maxDepth = 4;
const maxFolders = 2_000;
/** What tools keep in there for one folder, or write in place. */
const caches = new Set([".cache", ".tmp", ".vite", ".vite-temp", ".vitest"]);

export function isPackageCache(name: string): boolean {
  return caches.has(name);
}

type CloneOptions = {
  signal: AbortSignal;
  isIgnored(path: string): Promise<boolean>;
  /** The folder whose lock files must be those of the packages; default: the work tree itself. */
  locks?: string | undefined;
};

/** The same packages for a new work tree: the folders that were cloned; none where the lock files differ or nothing is installed. */
export async function clonePackages(
  main: string,
  tree: string,
  { signal, isIgnored, locks = tree }: CloneOptions,
): Promise<string[]> {
  // Only what the work tree has counts: a lock file that git does not know is in the project's folder alone.
  const wanted = lockFiles.flatMap((name) => {
    const text = readText(join(locks, name));
    return text === undefined ? [] : [{ name, text }];
  });
  if (wanted.length === 0 || !wanted.every(({ name, text }) => readText(join(main, name)) === text)) return [];
  const cloned: string[] = [];
  for (const folder of listPackageFolders(main)) {
    const path = folder === "" ? "node_modules" : `${folder}/node_modules`;
    // The commit may have a link there, or on the way, that leads out of the tree.
    const isPlain = realPathOf(join(tree, folder)) === join(realPlace(tree), folder);
    if (!isPlain || !isFolder(join(tree, folder)) || entryAt(join(tree, path)) || !(await isIgnored(path))) continue;
    await cloneFolder(join(main, path), join(tree, path), { roots: { from: main, to: tree }, skipped: caches, signal });
    cloned.push(path);
  }
  return cloned;
}

/** Folders with packages of their own: the root, and those of a workspace. */
export function listPackageFolders(main: string): string[] {
  const found: string[] = [];
  const folders = [{ path: "", depth: 0 }];
  for (let folder = folders.shift(); folder && found.length < maxFolders; folder = folders.shift()) {
    for (const { name, kind } of listFolder(join(main, folder.path), 10_000).entries) {
      if (kind !== "folder" || name.startsWith(".")) continue;
      if (name === "node_modules") found.push(folder.path);
      else if (folder.depth < maxDepth)
        folders.push({ path: folder.path === "" ? name : `${folder.path}/${name}`, depth: folder.depth + 1 });
    }
  }
  return found;
}

function readText(path: string): string | undefined {
  try {
    return entryAt(path)?.isFile() ? readSmallFile(path, maxLockBytes) : undefined;
  } catch {
    return undefined;
  }
}
