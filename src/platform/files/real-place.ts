import { realpathSync } from "node:fs";
import { resolve } from "node:path";

/** Where a path really leads, behind all links; undefined where there is nothing, or nothing that may be looked at. */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** The same, but the path itself where there is nothing. */
export function realPlace(path: string): string {
  return realPathOf(path) ?? resolve(path);
}
