import type { Call } from "../../kernel/calls/call.ts";
import { isInstalled } from "../../platform/files/root/installed-place.ts";

/** Whether a folder has such files in it, or is one of theirs: what is run there could be theirs. */
export function hasInstalled(folder: string): boolean {
  return folder.split(/[\\/]/).some((name) => name.toLowerCase() === ".fractary");
}

/** Before content or names of files at these places are returned: those of installed packages are text by others. */
export async function noteInstalled(call: Pick<Call, "noteUntrusted">, places: readonly string[]): Promise<void> {
  if (places.some(isInstalled)) await call.noteUntrusted();
}
