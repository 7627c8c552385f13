import { basename, dirname, join } from "node:path";
import { SafeRoot } from "../../../../platform/files/root/safe-root.ts";
import { alreadyThere } from "../errors.ts";
import type { ExportedFile } from "./export-definition.ts";

/** Writes files below the project, all or, where one is in the way, none. */
export async function writeExported(
  projectRoot: string,
  files: readonly ExportedFile[],
  { force, dryRun }: { force: boolean; dryRun: boolean },
): Promise<void> {
  const root = SafeRoot.at(projectRoot);
  // A person asked for these places by name, so it is below them that names are protected.
  const places = files.map(({ path, text }) => ({
    path,
    text,
    folder: root.within(dirname(path)),
    name: basename(path),
  }));
  for (const { folder, name, path } of places) {
    if (!force && (await folder.stat(name).catch(() => undefined)))
      throw alreadyThere("The file", join(projectRoot, path));
  }
  if (dryRun) return;
  for (const { folder, name, text } of places) await folder.write(name, text);
}
