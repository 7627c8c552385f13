import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const minFreeBytes = 4 * 2 ** 30;

/**
 * Makes the folder for everything that the tests of a run write. It is in memory where there is room: git and SQLite need a fifth
 * less CPU there than on a disk. The slow tests and the run on a newer Node stay on the disk.
 */
export function makeRunFolder({ onDisk }: { onDisk: boolean }): string {
  const inMemory = onDisk || process.env["TMPDIR"] !== undefined || !hasRoom() ? undefined : makeFolder(memory);
  if (inMemory !== undefined && canRunPrograms(inMemory)) return inMemory;
  if (inMemory !== undefined) rmSync(inMemory, { recursive: true });
  return makeFolder(tmpdir());
}

function makeFolder(parent: string): string {
  const folder = realpathSync.native(mkdtempSync(join(parent, "forge-run-")));
  // The database server runs as another user and must find its way through.
  chmodSync(folder, 0o755);
  return folder;
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= minFreeBytes;
  } catch {
    return false;
  }
}

/** Containers often forbid it there. */
function canRunPrograms(folder: string): boolean {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  try {
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program);
  }
}
