import { join, relative } from "node:path";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import { listFolder } from "../../../../platform/files/root/list-folder.ts";
import { SafeRoot } from "../../../../platform/files/root/safe-root.ts";
import { componentPaths, manifestFiles } from "../plugins/manifest.ts";
import { hostilePackage } from "./errors.ts";
import { type PackageFile, PackageFiles, packageLimits } from "./package-files.ts";
import type { PackageManifest } from "./read-package.ts";

/** What a checkout has beside its files, and is never part of a package. */
const leftOut = new Set([".git", "node_modules", ".DS_Store", ".forge", ".gitignore", ".gitattributes", ".github"]);

/**
 * A plugin of a checkout or a marketplace. One that only its marketplace describes gets a manifest of that; where several share
 * a folder, each has what is named as its own.
 */
export async function readPluginFolder(folder: string, manifest: PackageManifest): Promise<PackageFile[]> {
  const files = await readFolder(folder);
  if (files.some(({ path }) => manifestFiles.includes(path))) return files;
  const named = componentPaths(folder, { ...manifest, path: folder }).map(({ path }) => relative(folder, path));
  const own =
    named.length === 0
      ? files
      : files.filter(({ path }) => named.some((part) => path === part || path.startsWith(`${part}/`)));
  const { name, version, fields } = manifest;
  const text = JSON.stringify({ ...fields, name, version, source: undefined }, undefined, 2);
  return [{ path: "plugin.json", bytes: Buffer.from(`${text}\n`), isExecutable: false }, ...own];
}

/** The files of a plugin's folder, held to the same rules as an archive's. */
export async function readFolder(folder: string): Promise<PackageFile[]> {
  const gathered = new PackageFiles();
  const root = SafeRoot.at(folder);
  const visit = async (inner: string): Promise<void> => {
    const { entries, truncated } = listFolder(join(folder, inner), packageLimits.files);
    if (truncated) throw hostilePackage(`it has more than ${packageLimits.files} entries`);
    for (const { name, kind } of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (leftOut.has(name) || name.startsWith(".forge-")) continue;
      const path = inner === "" ? name : `${inner}/${name}`;
      if (kind === "folder") await visit(path);
      else if (kind !== "file") throw hostilePackage(`"${path}" is not a regular file (${kind})`);
      else {
        const entry = entryAt(join(folder, path));
        const clean = gathered.announce(path, entry?.size ?? 0);
        const { bytes } = await root.read(path, { maxBytes: packageLimits.bytes });
        gathered.add({ path: clean, bytes, isExecutable: ((entry?.mode ?? 0) & 0o100) !== 0 });
      }
    }
  };
  await visit("");
  if (gathered.files.length === 0) throw hostilePackage("it is empty");
  return gathered.files;
}
