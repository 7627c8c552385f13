import { opendirSync } from "node:fs";
import { kindOf } from "../entry-stats.ts";
import type { EntryKind } from "./file-opener.ts";

export type FolderContent = {
  entries: { name: string; kind: EntryKind }[];
  /** There are more; which ones were left out is chance. */
  truncated: boolean;
};

/** Reads no more of a folder than asked for: there may be millions of entries. */
export function listFolder(path: string, maxEntries: number): FolderContent {
  const entries: FolderContent["entries"] = [];
  const folder = opendirSync(path);
  try {
    for (let entry = folder.readSync(); entry; entry = folder.readSync()) {
      if (entries.length === maxEntries) return { entries: sortByName(entries), truncated: true };
      entries.push({ name: entry.name, kind: kindOf(entry) });
    }
    return { entries: sortByName(entries), truncated: false };
  } finally {
    folder.closeSync();
  }
}

function sortByName(entries: FolderContent["entries"]): FolderContent["entries"] {
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
