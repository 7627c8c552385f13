import { isInstalled } from "../../../commons/guard/installed-files.ts";
import type { Call } from "../../../kernel/calls/call.ts";

/** Before content or names of files at these places are returned: those of installed packages are text by others. */
export async function noteInstalled(call: Call, places: readonly string[]): Promise<void> {
  if (places.some(isInstalled)) await call.noteUntrusted();
}
