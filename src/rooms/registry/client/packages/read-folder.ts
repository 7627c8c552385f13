import { join } from "node:path";
import { listFolder } from "../../../../platform/files/root/list-folder.ts";
import { SafeRoot } from "../../../../platform/files/root/safe-root.ts";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import { hostilePackage } from "../errors.ts";
import { type PackageFile, PackageFiles, packageLimits } from "./package-files.ts";

/** What a checkout has beside its files, and is never part of a package. */
const leftOut = new Set([".git", "node_modules", ".DS_Store", ".forge", ".gitignore", ".gitattributes", ".github"]);

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
