import type { Call } from "../../../kernel/calls/call.ts";
import type { Source } from "../client/types.ts";

/**
 * What was installed or fetched was written by others: whoever reads it may be following their words. The project's own
 * definitions, and those in the user's own folders of a client, are theirs.
 */
export async function noteForeign(call: Call, items: readonly { source: Source; path: string }[]): Promise<void> {
  if (items.some(isForeign)) await call.noteUntrusted();
}

function isForeign({ source, path }: { source: Source; path: string }): boolean {
  return source === "stockyard" || /[\\/]\.fractary[\\/](?:registry|plugins)[\\/]/.test(path);
}
