import type { Claim } from "../../../commons/claims/index.ts";
import { holderOf } from "../../../commons/claims/index.ts";
import type { Call, CallRecord } from "../../../kernel/calls/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { claimKey, type ExecutionDeps } from "./execution-deps.ts";
import type { Tx } from "./execution-store.ts";

type HeldClaim = {
  task: string;
  principal: Principal;
  /** When a call of the holder last began or was running. */
  calledAt: number;
  renewedAt: number;
  calls: Set<CallRecord>;
};

type Caller = Pick<Call, "principal" | "record">;
type ExecutionKey = { id: string; blockId: string; taskId: string };
type KeeperDeps = Pick<ExecutionDeps, "store" | "claims" | "now" | "log">;

const claimMinutes = 2;
const renewMs = 30_000;
/** A call that comes this soon after a renewal only checks whose the claim is. */
const freshMs = 10_000;
/** An assistant that has not called for this long has stopped, even if its connection is open. */
const maxIdleMs = 30 * 60_000;

/** Renews the claims on tasks that are executed from this process, as long as their holders call. */
export class ClaimKeeper {
  readonly #deps: KeeperDeps;
  readonly #held = new Map<string, HeldClaim>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
  }

  /** Takes the claim, or renews the caller's own; throws, naming the holder, if someone else has it. */
  async takeClaim(
    tx: Tx,
    task: { blockId: string; taskId: string },
    principal: Principal,
  ): Promise<{ claim: Claim; isNew: boolean }> {
    const { claims } = this.#deps;
    await claims.endAbandoned(tx, claimKey(task));
    const current = await claims.requireFree(tx, claimKey(task), principal);
    return claims.take(tx, claimKey(task), principal, {
      minutes: claimMinutes,
      worker: current ? undefined : fallbackWorker(principal),
      kept: true,
    });
  }

  /** Renews the claim from now on. */
  keepClaim(execution: ExecutionKey, principal: Principal): void {
    const at = this.#deps.now();
    const calls = this.#held.get(execution.id)?.calls ?? new Set();
    this.#held.set(execution.id, { task: claimKey(execution), principal, calledAt: at, renewedAt: at, calls });
    this.#timer ??= setInterval(() => void this.#renewAll(), renewMs).unref();
  }

  /** The holder has called. Throws if someone else has taken the claim since. */
  async renewClaim(execution: ExecutionKey, caller: Caller): Promise<void> {
    const { store } = this.#deps;
    const { principal } = caller;
    if (!(await this.#isFresh(execution, principal))) {
      const { claim, isNew } = await store.database.transaction((tx) => this.takeClaim(tx, execution, principal));
      if (isNew) await this.#recordHolder(execution.id, claim.holder);
      this.keepClaim(execution, principal);
    }
    this.markActive(execution, caller);
  }

  /** The same for a caller that only reads, and need not be the holder. */
  markActive({ id }: { id: string }, { principal, record }: Caller): void {
    const held = this.#held.get(id);
    if (!held || !isSameCaller(held.principal, principal)) return;
    held.calledAt = this.#deps.now();
    held.calls.add(record);
  }

  /** Ends the claims of connections whose process is gone, so that nobody waits for them to expire. */
  async endAbandoned(): Promise<void> {
    const { store, claims } = this.#deps;
    for (const { block_id: blockId, task_id: taskId } of await store.database.read((db) => store.listOpen(db)))
      await store.database.transaction((tx) => claims.endAbandoned(tx, claimKey({ blockId, taskId })));
  }

  forget(id: string): void {
    this.#held.delete(id);
    if (this.#held.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Releases the claims of connections that end with this process. A worker's own name outlives it. */
  async stop(): Promise<void> {
    const held = [...this.#held.values()];
    this.#held.clear();
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#releaseAll(held);
  }

  /** Releases one claim, so that another can take it. */
  async release(id: string): Promise<void> {
    const held = this.#held.get(id);
    this.forget(id);
    if (!held) return;
    await this.#releaseAll([held]);
    await this.#recordHolder(id, null);
  }

  async #releaseAll(held: readonly HeldClaim[]): Promise<void> {
    if (held.length === 0) return;
    const { store, claims } = this.#deps;
    await store.database.transaction(async (tx) => {
      const current = await claims.on(
        tx,
        held.map(({ task }) => task),
      );
      for (const { task, principal } of held) {
        await claims.letGo(tx, task);
        if (current.get(task)?.holder === holderOf(principal, fallbackWorker(principal))) await claims.end(tx, task);
      }
    });
  }

  async #recordHolder(id: string, holder: string | null): Promise<void> {
    const { store } = this.#deps;
    await store.database.transaction(async (tx) => {
      const row = await store.find(tx, id);
      if (row && row.status === "running" && row.holder !== holder) await store.update(tx, row, { holder });
    });
  }

  /** Renewed a moment ago, and still the caller's. */
  async #isFresh(execution: ExecutionKey, principal: Principal): Promise<boolean> {
    const { store, claims, now } = this.#deps;
    const held = this.#held.get(execution.id);
    if (!held || !isSameCaller(held.principal, principal) || Math.abs(now() - held.renewedAt) >= freshMs) return false;
    const lease = await store.database.read((db) => claims.requireFree(db, claimKey(execution), principal));
    return lease !== undefined;
  }

  async #renewAll(): Promise<void> {
    const { store, claims, now, log } = this.#deps;
    for (const [id, held] of this.#held) {
      if (this.#isIdle(held)) {
        this.forget(id);
        continue;
      }
      try {
        await store.database.transaction(async (tx) => {
          const current = await claims.requireFree(tx, held.task, held.principal);
          const worker = current ? undefined : fallbackWorker(held.principal);
          await claims.take(tx, held.task, held.principal, { minutes: claimMinutes, worker, kept: true });
        });
        held.renewedAt = now();
      } catch (error) {
        // A database that does not answer may do so the next time; a claim that someone else has taken is lost.
        if (error instanceof ForgeError && error.code === "CONFLICT_ERROR") this.forget(id);
        else log?.("warning", "a claim could not be renewed", { task: held.task, error });
      }
    }
  }

  /** A call that is running counts like a new one. */
  #isIdle(held: HeldClaim): boolean {
    const now = this.#deps.now();
    for (const call of held.calls) {
      if (call.outcome === "open") held.calledAt = now;
      else held.calls.delete(call);
    }
    return now - held.calledAt > maxIdleMs;
  }
}

/** Callers without a connection hold all their executions under one name. */
export function fallbackWorker({ instance, atKeyboard }: Principal): string | undefined {
  return instance === undefined && !atKeyboard ? "execution" : undefined;
}

function isSameCaller(one: Principal, other: Principal): boolean {
  return one.id === other.id && one.agent === other.agent && one.instance === other.instance;
}
