import { readlinkSync } from "node:fs";

/**
 * Whether what is open is the file of this very path, and no link or folder on the way was swapped meanwhile. The path is
 * absolute and without links. True on systems that do not tell where an open file is.
 */
export function isOpenedAt(descriptor: number, path: Buffer): boolean {
  if (process.platform !== "linux") return true;
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`, "buffer").equals(path);
  } catch {
    return true;
  }
}
