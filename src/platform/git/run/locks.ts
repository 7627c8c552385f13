import { readdirSync, readlinkSync } from "node:fs";
import { ForgeError } from "../../../kernel/errors.ts";
import { entryAt } from "../../files/entry-at.ts";
import { showPath } from "../../files/root/relative-path.ts";

/** The lock file that git could not make because it is there already, from what git said. */
export function findHeldLock(stderr: string): string | undefined {
  const end = stderr.indexOf("': File exists");
  const beginning = "Unable to create '";
  const start = stderr.lastIndexOf(beginning, end);
  return end < 0 || start < 0 ? undefined : stderr.slice(start + beginning.length, end);
}

/** For a lock that does not go away: whose it is, if that is known. Forge never removes it. */
export function lockError(lock: string, command: string, workTree: string): ForgeError {
  const pid = holderOf(lock);
  const age = ageOf(lock);
  const since = age === undefined ? "" : `, created ${age} s ago`;
  const who = pid === undefined ? "no running process has it open" : `process ${pid} has it open`;
  return new ForgeError(
    "CONFLICT_ERROR",
    `git ${command} found the lock ${showPath(lock)}${since}: another git is running in ${workTree}, or one was interrupted (${who}).`,
    {
      details: { lock, workTree, ...(age !== undefined && { ageSeconds: age }), ...(pid !== undefined && { pid }) },
      next: [
        "Wait for the other git (an editor, a terminal) to finish, and try again.",
        "If no git is running there, the user can delete the lock file.",
      ],
    },
  );
}

function ageOf(lock: string): number | undefined {
  const entry = quietly(() => entryAt(lock));
  return entry && Math.max(0, Math.round((Date.now() - entry.mtimeMs) / 1000));
}

/** Linux tells who has a file open, of the processes that are ours to look at. */
function holderOf(lock: string): number | undefined {
  const processes = quietly(() => readdirSync("/proc").filter((name) => /^\d+$/.test(name))) ?? [];
  return processes.map(Number).find((pid) => {
    const open = quietly(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
    return open.some((descriptor) => quietly(() => readlinkSync(`/proc/${pid}/fd/${descriptor}`)) === lock);
  });
}

function quietly<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
