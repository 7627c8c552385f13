import { ForgeError } from "../../../../kernel/errors.ts";
import type { Advice } from "../../model/advice.ts";
import type { ClaimKeeper } from "../claim-keeper.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import type { MergeQueue } from "../finish/merge-queue.ts";
import { createRecoverySignal, type ExecutionRecovery } from "./execution-recovery.ts";

type Parts = { recovery: ExecutionRecovery; claimKeeper: ClaimKeeper; queue: MergeQueue };

/** What processes that are gone left half done: all of it before the first call, and what is new before each read. */
export class AbandonedWork {
  readonly #deps: ExecutionDeps;
  readonly #parts: Parts;
  #recovered: Promise<void> | undefined;
  #isReported = false;
  /** What recovery found. The first start reports it, and every list. */
  readonly found: Advice = { warnings: [], next: [] };

  constructor(deps: ExecutionDeps, parts: Parts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  /** Once per process, before anything else. */
  ready(): Promise<void> {
    this.#recovered ??= this.#recover().catch((error: unknown) => {
      this.#recovered = undefined;
      // What cannot be recovered now does not prevent other work; the next call tries again.
      if (!(error instanceof ForgeError)) throw error;
    });
    return this.#recovered;
  }

  /** Cheap where there is nothing of the kind; what cannot be settled now does not prevent reading. */
  async settle(): Promise<void> {
    const { store } = this.#deps;
    const { recovery, queue } = this.#parts;
    const open = await store.database.read((db) => store.listOpen(db));
    if (open.some(({ stage }) => stage === "queued")) queue.start();
    for (const row of open.filter(({ intent }) => intent !== null)) {
      try {
        await recovery.settleAbandoned(row, createRecoverySignal());
      } catch (error) {
        if (!(error instanceof ForgeError)) throw error;
      }
    }
  }

  /** What recovery found, the first time only. */
  takeReport(): Advice {
    const report = this.#isReported ? { warnings: [], next: [] } : this.found;
    this.#isReported = true;
    return report;
  }

  async #recover(): Promise<void> {
    const { recovery, claimKeeper, queue } = this.#parts;
    await claimKeeper.endAbandoned();
    const { warnings, next } = await recovery.recover(createRecoverySignal());
    this.found.warnings.push(...warnings);
    this.found.next.push(...next);
    queue.start();
  }
}
