import { chmodSync } from "node:fs";
import { entryAt } from "../files/entry-at.ts";
import { errorCode } from "./error-code.ts";

const groupAndOthers = 0o077;

/** Whether others than the owner may look at or change a file or folder; never so where the system has no such bits. */
export function isAccessibleToOthers(path: string): boolean {
  const entry = entryAt(path);
  if (!entry || entry.isSymbolicLink() || process.platform === "win32") return false;
  return (entry.mode & groupAndOthers) !== 0;
}

/** Whether it is the property of the user who runs this process; always so where the system does not say. */
export function isOwnedByUser(path: string): boolean {
  return !process.getuid || entryAt(path)?.uid === process.getuid();
}

/** Whether somebody else's is there. By one look: files that SQLite keeps beside a database come and go between two. */
export function isOwnedByOther(path: string): boolean {
  const entry = entryAt(path);
  return entry !== undefined && process.getuid !== undefined && entry.uid !== process.getuid();
}

/** Takes every right from everybody but the owner. A link is left alone: it may lead anywhere. */
export function restrictToOwner(path: string): void {
  const entry = entryAt(path);
  if (!entry || entry.isSymbolicLink()) return;
  try {
    chmodSync(path, entry.mode & 0o700);
  } catch (error) {
    // Gone meanwhile, it is open to nobody.
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

/** What new files are allowed to everybody by default; zero bits are what matters. */
export function currentUmask(): number {
  return process.umask();
}
