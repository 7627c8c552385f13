import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../../host/error-code.ts";
import { hasNoFolderSync } from "./sync.ts";

/** Makes a folder only its owner may look into, unless there is something already. Its parents must exist. */
export function ensurePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
    // The umask may have taken bits away from the owner; group and others never had any.
    chmodSync(path, 0o700);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return;
    throw error;
  }
  syncNames(dirname(path));
}

/** Makes sure that the names in a folder outlast a power cut. Waits for the disk: for what happens once. */
export function syncNames(folder: string): void {
  // Windows cannot open a folder, and keeps its names in order by itself.
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!hasNoFolderSync(error)) throw error;
  } finally {
    closeSync(descriptor);
  }
}
