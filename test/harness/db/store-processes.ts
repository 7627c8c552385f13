import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { bundleProgram } from "../cli/bundle-program.ts";
import type { Job } from "./store-jobs.ts";

const worker = await bundleProgram(new URL("./store-worker.ts", import.meta.url));

/** A separate process that works on a database on request, and can be killed in the middle. */
export class StoreProcess {
  readonly #child: ChildProcess;
  #output = "";

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on("data", (chunk: Buffer) => {
      this.#output += chunk.toString();
    });
  }

  static async start(): Promise<StoreProcess> {
    const child = fork(worker, {
      execArgv: [],
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    await once(child, "message");
    return new StoreProcess(child);
  }

  static async startMany(count: number): Promise<StoreProcess[]> {
    return Promise.all(Array.from({ length: count }, () => StoreProcess.start()));
  }

  async run(job: Job): Promise<number> {
    this.#child.send(job);
    const [answer] = await once(this.#child, "message");
    if (answer.error) throw new Error(answer.error);
    return answer.result;
  }

  /** Starts the job without waiting for its end. */
  begin(job: Job): void {
    this.#child.send(job);
  }

  /** Resolves when the process has printed that many lines. */
  async printed(lines: number): Promise<void> {
    const stdout = this.#child.stdout;
    while (stdout && this.#output.split("\n").length <= lines) await once(stdout, "data");
  }

  /** kill -9; returns the complete lines it had printed. */
  async kill(): Promise<string[]> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const closed = once(this.#child, "close");
      this.#child.kill("SIGKILL");
      await closed;
    }
    return this.#output.split("\n").slice(0, -1);
  }
}
