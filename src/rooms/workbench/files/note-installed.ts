import { join } from "node:path";
import { isInstalled } from "../../../commons/guard/installed-files.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import { realPlace } from "../../../platform/files/real-place.ts";

/** Before content or names of these files are returned: those of installed packages are text by others, also behind a link. */
export async function noteInstalled(call: Call, root: string, paths: Iterable<string>): Promise<void> {
  for (const path of new Set(paths)) {
    if (isInstalled(path) || isInstalled(realPlace(join(root, path)))) return call.noteUntrusted();
  }
}
