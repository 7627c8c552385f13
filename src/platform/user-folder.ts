import { closeSync, openSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileError } from "./files/file-error.ts";
import { syncFolder } from "./files/sync.ts";
import { errorCode } from "./files.ts";

/** A place in the user's own `~/.forge`, which no project can write to. */
export function userPath(...names: string[]): string {
  return join(homedir(), ".forge", ...names);
}

/** Removes a file of the user's for good, power cuts included; returns whether there was one. */
export async function removePrivateFile(path: string): Promise<boolean> {
  try {
    rmSync(path);
    await syncNames(dirname(path));
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw fileError(error, path);
  }
}

async function syncNames(folder: string): Promise<void> {
  // Windows cannot open a folder, and keeps its names in order by itself.
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    await syncFolder(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
