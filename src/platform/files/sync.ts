import { fsync } from "node:fs";
import { promisify } from "node:util";
import { errorCode } from "../files.ts";

/** Not the synchronous one: a disk may take its time, and nobody else should wait for it. */
export const syncFile = promisify(fsync);

/** Where the system or the file system has no syncing of folders, it keeps them in order by itself. */
export async function syncFolder(descriptor: number): Promise<void> {
  if (process.platform === "win32") return;
  try {
    await syncFile(descriptor);
  } catch (error) {
    const code = errorCode(error) ?? "";
    if (!["EINVAL", "ENOTSUP", "EOPNOTSUPP"].includes(code)) throw error;
  }
}
