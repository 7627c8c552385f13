import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { bundleProgram } from "../cli/bundle-program.ts";
import type { LedgerJob } from "./store-ledger-worker.ts";

const worker = await bundleProgram(new URL("./store-ledger-worker.ts", import.meta.url));

/** A separate process with a ledger. */
export class LedgerProcess {
  readonly #child: ChildProcess;

  constructor(job: LedgerJob) {
    this.#child = fork(worker, { execArgv: [] });
    this.#child.send(job);
  }

  /** Resolves when it has opened its entry. */
  async opened(): Promise<void> {
    await once(this.#child, "message");
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await gone;
  }
}
