import { randomBytes } from "node:crypto";
import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import type { Opened, Opening } from "./opening.ts";

/** Far longer than any write takes. A draft of a living writer removed by mistake makes that write fail, and nothing else. */
const oldAfterMs = 600_000;
const draftPattern = /^\.forge-draft-[0-9a-f]{24}\.tmp$/;

/** Folders looked through by this process. Drafts stay behind when a process dies, so its successor's first look is enough. */
const lookedThrough = new Set<string>();
const mostRemembered = 10_000;

export function draftName(): string {
  return `.forge-draft-${randomBytes(12).toString("hex")}.tmp`;
}

/** Removes what crashed writers left in a folder, once per process and folder. */
export function removeOldDrafts(opening: Opening, folder: Opened): void {
  if (lookedThrough.has(folder.realPath)) return;
  if (lookedThrough.size >= mostRemembered) lookedThrough.clear();
  lookedThrough.add(folder.realPath);
  try {
    for (const name of readdirSync(opening.pathIn(folder))) {
      if (!draftPattern.test(name)) continue;
      const path = opening.pathIn(folder, name);
      if (Date.now() - lstatSync(path).mtimeMs > oldAfterMs) removeQuietly(path);
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
