import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export const forge = join(import.meta.dirname, "..", "..", "..", "bin", "forge.cjs");
const patienceMs = 30_000;

type Place = { cwd: string; env: Record<string, string> };

/** A forge process whose output can be waited for. */
export class ForgeProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown[]>;
  output = "";

  constructor(args: string[], { cwd, env }: Place) {
    this.child = spawn(process.execPath, [forge, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    this.exited = once(this.child, "close");
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
    }
    onTestFinished(async () => {
      this.child.kill("SIGTERM");
      await this.exited;
    });
  }

  async says(pattern: RegExp): Promise<string> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const found = pattern.exec(this.output);
      if (found) return found[1] ?? found[0];
      if (performance.now() > deadline || this.child.exitCode !== null)
        throw new Error(`it never said ${pattern}: ${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
