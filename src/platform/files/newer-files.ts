import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { entryAt } from "./entry-at.ts";

type NewerOptions = {
  /** Milliseconds since the epoch. */
  since: number;
  /** Names of files and folders that are left out. */
  skipped(name: string): boolean;
  /** No more are looked for. */
  limit: number;
  signal: AbortSignal;
};

const maxEntries = 500_000;
const entriesPerTurn = 2_000;

/** Files and links below a folder that were written after a time, with their paths from there. Links are not followed. */
export async function findNewerFiles(root: string, options: NewerOptions): Promise<string[]> {
  const { since, limit, signal } = options;
  const found: string[] = [];
  let count = 0;
  for (const path of listFiles(root, options.skipped)) {
    if ((entryAt(join(root, path))?.mtimeMs ?? 0) > since) found.push(path);
    if (found.length === limit || ++count === maxEntries) break;
    if (count % entriesPerTurn !== 0) continue;
    await breathe();
    signal.throwIfAborted();
  }
  return found;
}

function* listFiles(root: string, skipped: NewerOptions["skipped"]): Generator<string> {
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (skipped(entry.name)) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else yield path;
    }
}
