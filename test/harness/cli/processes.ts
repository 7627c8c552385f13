import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const patienceMs = 20_000;

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie has ended, but its parent has not collected it yet.
  return process.platform !== "linux" || !/^State:\s+[ZX]/m.test(statusOf(pid));
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "State: X";
  }
}

/** Polls until the condition is true. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  patience = patienceMs,
): Promise<T> {
  const deadline = Date.now() + patience;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A file into which a group of processes writes its ids; those still running are killed after the test. */
export class PidFile {
  readonly path: string;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), "forge-pids-"));
    this.path = join(folder, "pids");
    onTestFinished(() => {
      for (const pid of this.pids().filter(isAlive)) process.kill(pid, "SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    });
  }

  pids(): number[] {
    try {
      return readFileSync(this.path, "utf8").split("\n").map(Number);
    } catch {
      return [];
    }
  }

  async started(): Promise<number[]> {
    return eventually("the family to start", () => this.pids().length > 0 && this.pids());
  }

  async allGone(): Promise<void> {
    await eventually("the family to be gone", () => !this.pids().some(isAlive));
  }
}
