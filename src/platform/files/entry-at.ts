import { lstatSync, type Stats } from "node:fs";

/** The entry itself, links not followed; undefined where there is none. */
export function entryAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
