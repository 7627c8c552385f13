import { ForgeError } from "../../kernel/errors.ts";
import type { Lease, Leases } from "./leases.ts";

/**
 * A lease that is renewed in the background until it is released or lost. `lost` is aborted as soon as this process can no
 * longer be sure of it, by its own running time: a process that was stopped or disconnected must not go on.
 */
export class HeldLease {
  readonly lease: Lease;
  readonly lost: AbortSignal;
  readonly #leases: Leases;
  readonly #ended = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #sureUntil: number;
  #renewing: Promise<void> | undefined;

  /** `claimedAt` is `performance.now()` from before the claim. */
  constructor(leases: Leases, lease: Lease, claimedAt: number) {
    this.lease = lease;
    this.lost = this.#ended.signal;
    this.#leases = leases;
    this.#sureUntil = claimedAt + lease.ttlMs;
    this.#timer = setInterval(() => this.#tick(), lease.ttlMs / 4);
    this.#timer.unref();
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    await this.#leases.release(this.lease);
  }

  #tick(): void {
    if (performance.now() >= this.#sureUntil) this.#lose();
    else this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
  }

  async #renew(): Promise<void> {
    const startedAt = performance.now();
    try {
      await this.#leases.renew(this.lease);
      this.#sureUntil = startedAt + this.lease.ttlMs;
    } catch (error) {
      // A database that does not answer now may answer in time; the next turn tries again.
      if (error instanceof ForgeError && error.code === "CONFLICT_ERROR") this.#lose();
    }
  }

  #lose(): void {
    clearInterval(this.#timer);
    this.#ended.abort();
  }
}
