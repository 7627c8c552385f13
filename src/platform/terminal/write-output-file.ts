import { dirname, relative, resolve, sep } from "node:path";
import { SafeRoot } from "../files/root/safe-root.ts";
import { isFolder } from "../state/project.ts";

const maxBytes = 256 * 1_048_576;

/** Writes a file at a path that the person at the keyboard names, with the folders it needs, whole or not at all. */
export async function writeOutputFile(file: string, text: string, { force }: { force: boolean }): Promise<void> {
  const path = resolve(file);
  const top = nearestFolder(dirname(path));
  const root = SafeRoot.at(top, { limits: { writeBytes: maxBytes } });
  await root.write(relative(top, path).split(sep).join("/"), text, force ? {} : { state: "absent" });
}

function nearestFolder(path: string): string {
  return isFolder(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}
