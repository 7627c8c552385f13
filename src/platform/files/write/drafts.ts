import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { FileOpener, OpenedEntry } from "../root/file-opener.ts";

/** Far longer than any write takes. A draft of a living writer removed by mistake makes that write fail, and nothing else. */
const oldAfterMs = 600_000;
const draftPattern = /^\.forge-draft-[0-9a-f]{24}\.tmp$/;

/** Folders looked through by this process. Drafts stay behind when a process dies, so its successor's first look is enough. */
const cleanedFolders = new Set<string>();
const maxRemembered = 10_000;

/** By the global: `node:crypto` would make every start load it. */
export function draftName(): string {
  return `.forge-draft-${Buffer.from(crypto.getRandomValues(new Uint8Array(12))).toString("hex")}.tmp`;
}

/** Removes what crashed writers left in a folder, once per process and folder. */
export function removeOldDrafts(opening: FileOpener, folder: OpenedEntry): void {
  removeOldDraftsIn(opening.pathIn(folder), folder.realPath);
}

/** `path` is how the folder is reached now, `realPath` what it is remembered by. */
export function removeOldDraftsIn(path: string, realPath = path): void {
  if (cleanedFolders.has(realPath)) return;
  if (cleanedFolders.size >= maxRemembered) cleanedFolders.clear();
  cleanedFolders.add(realPath);
  try {
    for (const name of readdirSync(path)) {
      if (!draftPattern.test(name)) continue;
      const draft = join(path, name);
      if (Date.now() - lstatSync(draft).mtimeMs > oldAfterMs) removeQuietly(draft);
    }
  } catch {
    // Tidying up must not keep anybody from writing.
  }
}

export function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It is gone already, or will be removed as an old draft.
  }
}
