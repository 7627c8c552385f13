import { ForgeError } from "../../../kernel/errors.ts";
import { isInstalled } from "../../../platform/files/root/installed-place.ts";
import type { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { Repository } from "../../../platform/git/git.ts";
import { decodeName } from "../../../platform/git/names/decode-name.ts";
import { NulRecords } from "../../../platform/git/read/nul-records.ts";
import { pathPrefix } from "../files/path-status.ts";

const gitlink = "160000";
const walkLimits = { files: 5_000, folders: 500, deepest: 8 } as const;

/** Folders of what others wrote, or programs made. */
const foreignFolders = new Set(
  "node_modules bower_components vendor third_party third-party dist coverage venv __pycache__ site-packages __snapshots__".split(
    " ",
  ),
);
/** With those whose packages are there to be tested on, to be copied, or not to be committed: none is the project itself. */
const otherFolders = new Set(
  "build out target env fixtures __fixtures__ testdata test-data golden snapshots examples example templates".split(
    " ",
  ),
);

export function isForeign(path: string): boolean {
  return isInstalled(path) || listFolders(path).some((name) => foreignFolders.has(name));
}

export function isOwn(path: string): boolean {
  return !listFolders(path).some((name) => foreignFolders.has(name) || otherFolders.has(name) || name.startsWith("."));
}

function listFolders(path: string): string[] {
  return path.split("/").slice(0, -1);
}

/** Every file that git tracks in a folder and below, by its path from there, in git's order. Submodules are not files. */
export async function forEachTrackedFile(
  repository: Repository,
  folder: string,
  signal: AbortSignal,
  take: (path: string) => void,
): Promise<void> {
  const place = pathPrefix(repository, folder);
  let last = "";
  const records = new NulRecords((record) => {
    const name = decodeName(record.subarray(record.indexOf("\t") + 1));
    // An unmerged file comes once for each side.
    if (name === last || record.toString("latin1", 0, gitlink.length) === gitlink) return;
    last = name;
    take(name.slice(place.length));
  });
  const within = place === "" ? [] : [place.slice(0, -1)];
  const { code, stderr } = await repository.run("ls-files", ["--stage", "-z", "--", ...within], {
    signal,
    onStdout: (chunk) => records.write(chunk),
  });
  if (code === 0) return;
  throw new ForgeError("DEPENDENCY_ERROR", `git ls-files failed: ${stderr.toString().slice(0, 300).trim()}`, {
    next: ["Run `git status` in the project and fix what it reports."],
  });
}

/** A project's own files where git cannot tell them: as many as a look around finds. Links are not followed. */
export async function walkFiles(root: SafeRoot, signal: AbortSignal): Promise<string[]> {
  const files: string[] = [];
  const folders = [""];
  for (let seen = 0; seen < Math.min(folders.length, walkLimits.folders) && files.length < walkLimits.files; seen++) {
    signal.throwIfAborted();
    const folder = folders[seen] ?? "";
    for (const { name, kind } of await listEntries(root, folder)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (kind === "file") files.push(path);
      else if (kind === "folder" && isOwn(`${path}/`) && path.split("/").length < walkLimits.deepest)
        folders.push(path);
    }
  }
  return files;
}

/** A folder may be closed to us, or vanish while we look. */
async function listEntries(root: SafeRoot, folder: string) {
  try {
    return (await root.list(folder, { maxEntries: walkLimits.files })).entries;
  } catch (error) {
    if (error instanceof ForgeError) return [];
    throw error;
  }
}
