import { isUtf8 } from "node:buffer";
import { realpathSync } from "node:fs";
import { resolve } from "node:path";

/**
 * Where a path really leads, behind all links. Throws as the system does, and for a place whose name is not UTF-8: as text it would
 * be the name of another place, which programs that follow the link themselves do not mean.
 */
export function requireRealPath(path: string): string {
  const place = realpathSync.native(path, "buffer");
  if (isUtf8(place)) return place.toString();
  throw Object.assign(new Error(`${path} leads to a name that is not UTF-8`), { code: "EILSEQ" });
}

/** The same; undefined where there is nothing, or nothing that may be looked at. */
export function realPathOf(path: string): string | undefined {
  try {
    return requireRealPath(path);
  } catch {
    return undefined;
  }
}

/** The same, but the path itself where there is nothing. */
export function realPlace(path: string): string {
  return realPathOf(path) ?? resolve(path);
}
