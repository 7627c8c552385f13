import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ForgeError } from "../../../kernel/errors.ts";
import { errorCode } from "../../host/error-code.ts";
import { explainErrors } from "../file-error.ts";

const lockName = ".forge-lock";
const maxWaitMs = 60_000;
const pauseMs = 20;

/** Runs one piece of work at a time on a folder, across processes. The lock of a process that has ended does not count. */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const lock = join(folder, lockName);
  const own = join(folder, `${lockName}-${process.pid}-${Math.random().toString(36).slice(2)}`);
  await explainErrors(lockName, async () => writeFileSync(own, String(process.pid), { mode: 0o600 }));
  try {
    await explainErrors(lockName, () => take(own, lock, signal));
    try {
      return await work();
    } finally {
      await remove(lock);
    }
  } finally {
    await remove(own);
  }
}

/** A lock that stays would keep others out for as long as this process lives, so that is an error. */
function remove(file: string): Promise<void> {
  return explainErrors(lockName, async () => rmSync(file, { force: true }));
}

async function take(own: string, lock: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    signal.throwIfAborted();
    try {
      linkSync(own, lock);
      return;
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
    const holder = holderOf(lock);
    if (holder !== undefined && !isAlive(holder)) setAside(lock, `${own}-old`, holder);
    else if (performance.now() > deadline) throw lockHeld(holder);
    else await sleep(pauseMs, undefined, { signal });
  }
}

/** Another process may do the same at the same time: a process that moves a lock checks what it has moved. */
function setAside(lock: string, aside: string, holder: number): void {
  try {
    renameSync(lock, aside);
    if (holderOf(aside) === holder) rmSync(aside, { force: true });
    else renameSync(aside, lock);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

function holderOf(lock: string): number | undefined {
  try {
    const id = Number(readFileSync(lock, "utf8"));
    return Number.isInteger(id) && id > 0 ? id : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

function lockHeld(holder: number | undefined): ForgeError {
  return new ForgeError("CONFLICT_ERROR", "Another Forge process is changing the same folder.", {
    details: { ...(holder !== undefined && { process: holder }) },
    next: ["Wait until it has finished, then try again."],
  });
}
