import { join } from "node:path";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { findNewerFiles } from "../../../platform/files/newer-files.ts";
import { listFolder } from "../../../platform/files/root/list-folder.ts";
import { isPackageCache, listPackageFolders } from "../project/clone-packages.ts";

/** What installers write last: npm, pnpm, Yarn and Yarn 1. */
const nodeMarkers = [".package-lock.json", ".modules.yaml", ".yarn-state.yml", ".yarn-integrity"];
const pythonMarkers = ["RECORD", "INSTALLER"];
const pythonFolders = [".venv", "venv"];
/** Between an installer's last file and its marker. */
const toleranceMs = 3_000;
const maxNamed = 3;
const maxEntries = 10_000;

type Installed = { path: string; at: number; isSkipped(name: string): boolean };

/**
 * Files of installed packages that were written after the installation, up to three. Git does not know them, and what they change
 * shows in no commit. Packages without a trace of when they were installed are not looked at.
 */
export async function findAlteredPackages(root: string, signal: AbortSignal): Promise<string[]> {
  const altered: string[] = [];
  for (const { path, at, isSkipped } of [...nodePackages(root), ...pythonPackages(root)]) {
    const options = { since: at + toleranceMs, skipped: isSkipped, limit: maxNamed - altered.length, signal };
    for (const file of await findNewerFiles(join(root, path), options)) altered.push(`${path}/${file}`);
    if (altered.length >= maxNamed) break;
  }
  return altered;
}

/** Packages of a workspace's member are installed with those of the root. */
function nodePackages(root: string): Installed[] {
  const timeOf = (path: string) => newest(nodeMarkers.map((name) => join(root, path, name)));
  const ofRoot = timeOf("node_modules");
  // The records that installers keep beside the packages are no packages.
  const isSkipped = (name: string) =>
    isPackageCache(name) || nodeMarkers.includes(name) || name.startsWith(".pnpm-workspace-state");
  return listPackageFolders(root).flatMap((folder) => {
    const path = folder === "" ? "node_modules" : `${folder}/node_modules`;
    const at = timeOf(path) ?? ofRoot;
    return at === undefined ? [] : [{ path, at, isSkipped }];
  });
}

function pythonPackages(root: string): Installed[] {
  const isSkipped = (name: string) => name === "__pycache__" || name.endsWith(".pyc");
  return pythonFolders.flatMap((folder) =>
    foldersIn(join(root, folder, "lib")).flatMap((version) => {
      const path = `${folder}/lib/${version}/site-packages`;
      const infos = foldersIn(join(root, path)).filter((name) => name.endsWith(".dist-info"));
      const at = newest(infos.flatMap((info) => pythonMarkers.map((name) => join(root, path, info, name))));
      return at === undefined ? [] : [{ path, at, isSkipped }];
    }),
  );
}

function foldersIn(path: string): string[] {
  if (!entryAt(path)?.isDirectory()) return [];
  return listFolder(path, maxEntries).entries.flatMap(({ name, kind }) => (kind === "folder" ? [name] : []));
}

function newest(paths: readonly string[]): number | undefined {
  const times = paths.flatMap((path) => entryAt(path)?.mtimeMs ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}
