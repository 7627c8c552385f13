import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Place } from "../../../src/platform/db/types.ts";
import { bundleProgram } from "../cli/bundle-program.ts";
import type { LeaseJob } from "./lease-worker.ts";

const worker = await bundleProgram(new URL("./lease-worker.ts", import.meta.url));

/** A process that claims leases on request, and can be stopped or killed while it holds one. */
export class LeaseProcess {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(place: Place, { clockOffByMs = 0 } = {}): Promise<LeaseProcess> {
    const child = fork(worker, { execArgv: [] });
    await once(child, "message");
    const process = new LeaseProcess(child);
    await process.tell({ job: "open", place, clockOffByMs });
    return process;
  }

  async tell(job: LeaseJob): Promise<string> {
    const answered = once(this.#child, "message");
    this.#child.send(job);
    const [{ answer }] = await answered;
    return answer;
  }

  get name(): string {
    return `process ${this.#child.pid}`;
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await gone;
  }
}
