import type { Call } from "../../../kernel/calls/call.ts";
import { realPathOf } from "../../../platform/files/real-place.ts";
import { isInstalled } from "../../../platform/files/root/installed-place.ts";
import type { Source } from "../client/types.ts";

/**
 * What was installed or fetched was written by others: a reader may follow their words. The project's own
 * definitions are the user's once the user has trusted the project.
 */
export async function noteForeign(
  call: Pick<Call, "noteUntrusted">,
  items: readonly { source: Source; path: string }[],
  warnings: readonly string[] = [],
): Promise<void> {
  // A warning names the file that it is about.
  if (items.some(isForeign) || warnings.some(isInstalled)) await call.noteUntrusted();
  else if (items.length > 0) await call.noteUntrusted("repository");
}

/** Of the user's own folders, those of clients have what the user wrote; the other is the registry's, whatever its name is. */
const clientFolder = /[\\/]\.(?:claude|agents)[\\/](?:agents|skills)[\\/]/;

function isForeign({ source, path }: { source: Source; path: string }): boolean {
  // A link to what is installed does not make it the user's own.
  if (source === "stockyard" || isInstalled(path) || isInstalled(realPathOf(path) ?? path)) return true;
  return source === "global" && !clientFolder.test(path);
}
