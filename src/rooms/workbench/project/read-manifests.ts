import { findManifestReader } from "../../../commons/manifests/index.ts";
import { BrokenManifest, type Manifest, type ManifestFolder } from "../../../commons/manifests/manifest.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { showPath } from "../../../platform/files/root/relative-path.ts";
import type { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { FileCensus } from "./file-census.ts";

const maxManifestBytes = 512 * 1024;
const maxWarnings = 20;

/** `folder` is empty for the project's own; `path` is the manifest's. */
export type PlacedManifest = Manifest & { folder: string; path: string };

export type Manifests = {
  read: PlacedManifest[];
  /** Manifests that were not read, because there are too many. */
  omitted: number;
  warnings: string[];
};

/** Reads a project's manifests, those nearest to its root first. An invalid one becomes a warning. */
export async function readManifests(
  root: SafeRoot,
  census: FileCensus,
  { max, signal }: { max: number; signal: AbortSignal },
): Promise<Manifests> {
  const paths = census.listManifests();
  const found: Manifests = { read: [], omitted: Math.max(0, paths.length - max), warnings: [] };
  for (const path of paths.slice(0, max)) {
    signal.throwIfAborted();
    const result = await readManifest(root, path, census);
    if (typeof result !== "string") found.read.push(...result);
    else if (found.warnings.length < maxWarnings) found.warnings.push(result);
  }
  return found;
}

/** A text is a warning. */
async function readManifest(root: SafeRoot, path: string, census: FileCensus): Promise<PlacedManifest[] | string> {
  const at = path.lastIndexOf("/");
  const [folder, file] = [path.slice(0, Math.max(0, at)), path.slice(at + 1)];
  try {
    const load = findManifestReader(file);
    if (!load) return [];
    const { text } = await root.readText(path, { maxBytes: maxManifestBytes });
    return [{ ...(await load())(text, manifestFolder(folder, file, census)), folder, path }];
  } catch (error) {
    if (error instanceof BrokenManifest) return `${showPath(path)} ${error.message}; it was left out.`;
    if (!(error instanceof ForgeError)) throw error;
    // Tracked, and not there any more: nothing is wrong with that.
    return error.code === "NOT_FOUND" ? [] : `${error.message} It was left out.`;
  }
}

function manifestFolder(folder: string, file: string, census: FileCensus): ManifestFolder {
  const inFolder = (at: string, name: string) => census.has(at === "" ? name : `${at}/${name}`);
  return {
    file,
    has: (path) => inFolder(folder, path),
    hasAbove(name) {
      for (let at = folder; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/"))))
        if (inFolder(at, name)) return true;
      return inFolder("", name);
    },
  };
}
