import { fsync } from "node:fs";
import { promisify } from "node:util";
import { ForgeError } from "../../../kernel/errors.ts";
import { errorCode } from "../../host/error-code.ts";
import { showPath } from "../root/relative-path.ts";

/** Not the synchronous one: a disk may be slow, and nothing else should wait for it. */
export const syncFile = promisify(fsync);

/** Where the system or the file system has no syncing of folders, it keeps them in order by itself. */
export async function syncFolder(descriptor: number): Promise<void> {
  if (process.platform === "win32") return;
  try {
    await syncFile(descriptor);
  } catch (error) {
    if (!hasNoFolderSync(error)) throw error;
  }
}

export function hasNoFolderSync(error: unknown): boolean {
  return ["EINVAL", "ENOTSUP", "EOPNOTSUPP"].includes(errorCode(error) ?? "");
}

/** For a change that is made already: where the disk does not confirm it, that must not read as if it were not made. */
export async function confirmChange(path: string, ...folders: number[]): Promise<void> {
  try {
    for (const descriptor of folders) await syncFolder(descriptor);
  } catch (error) {
    throw new ForgeError("STORE_ERROR", `${showPath(path)} was changed, but the disk did not confirm it.`, {
      details: { path, made: true, reason: errorCode(error) },
      next: ["Check its content and the disk."],
      cause: error,
    });
  }
}
