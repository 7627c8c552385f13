import { copyFileSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../host/error-code.ts";

/** Git's own name for it; a linked work tree has one in its git directory. */
const name = "index";

/**
 * Copies a work tree's index with what it remembers of the files, so that git need not read them all again. The copy is
 * never newer than the original: git takes a file as unread that was changed after the index, and must go on doing so.
 */
export function copyIndex(gitDir: string, copy: string): void {
  try {
    const { mtimeMs } = statSync(join(gitDir, name));
    copyFileSync(join(gitDir, name), copy);
    const second = Math.floor(mtimeMs / 1000);
    utimesSync(copy, second, second);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

/** The index as it is, to be put back; undefined where there is none yet. */
export function readIndex(gitDir: string): Buffer | undefined {
  try {
    return readFileSync(join(gitDir, name));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Puts an earlier index back, under git's own lock, unless somebody changed it since `expected`. */
export function putBackIndex(gitDir: string, earlier: Buffer | undefined, expected: Buffer | undefined): void {
  const index = join(gitDir, name);
  const lock = `${index}.lock`;
  try {
    writeFileSync(lock, earlier ?? "", { flag: "wx" });
  } catch (error) {
    if (errorCode(error) === "EEXIST") return;
    throw error;
  }
  const isUnchanged = isSame(readIndex(gitDir), expected);
  if (isUnchanged && earlier !== undefined) {
    renameSync(lock, index);
    return;
  }
  if (isUnchanged) rmSync(index, { force: true });
  rmSync(lock);
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}
