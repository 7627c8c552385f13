import { randomUUID } from "node:crypto";
import { patienceMs } from "../../../commons/claims/index.ts";
import { newRecord } from "../../../kernel/calls/new-record.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { Author } from "../service/tickets.ts";
import type { ClaimTraces } from "./claim-traces.ts";
import { type Pause, sleepUntil } from "./pause.ts";

const claimMinutes = 1;
const renewEveryMs = 15_000;
const retryAfterMs = 250;

/** Renews a claim, or releases it if no minutes are given. */
type RenewClaim = (by: Author, id: string, minutes: number | undefined) => Promise<void>;

type HeldClaim = { by: Author; timer: NodeJS.Timeout };

/**
 * Keeps the claims of this process on a server until it ends. Everyone it serves meanwhile acts with the mark of the claim:
 * otherwise they would be kept off a ticket that is held for them.
 */
export class ClaimKeeper {
  readonly #mark: string = randomUUID();
  readonly #renew: RenewClaim;
  readonly #traces: ClaimTraces;
  readonly #pause: Pause;
  readonly #ending = new AbortController();
  readonly #held = new Map<string, HeldClaim>();

  constructor(renew: RenewClaim, traces: ClaimTraces, pause: Pause = sleepUntil) {
    this.#renew = renew;
    this.#traces = traces;
    this.#pause = pause;
  }

  async hold(id: string, { atKeyboard: _, ...principal }: Principal): Promise<void> {
    // The process claims it, not the person: only its mark distinguishes the claim from others.
    const by = this.#withMark({ principal, record: holdRecord(principal, id) });
    await this.#claim(by, id);
    await this.#traces.leave(id, this.#mark);
    clearInterval(this.#held.get(id)?.timer);
    // If a renewal fails, the next one makes up for it; if all fail, the claim expires, as it should.
    const renew = () => void this.#renew(by, id, claimMinutes).catch(() => undefined);
    this.#held.set(id, { by, timer: setInterval(renew, renewEveryMs).unref() });
  }

  as(by: Author, id: string): Author {
    return this.#held.has(id) ? this.#withMark(by) : by;
  }

  /** Released by the caller that it was held for. */
  async forget(id: string): Promise<void> {
    clearInterval(this.#held.get(id)?.timer);
    if (this.#held.delete(id)) await this.#traces.remove(id);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    const held = [...this.#held];
    this.#held.clear();
    for (const [, { timer }] of held) clearInterval(timer);
    await Promise.allSettled(held.map(([id, { by }]) => this.#release(by, id)));
  }

  /** The trace is removed first: once the claim is free, the next process may leave its own. */
  async #release(by: Author, id: string): Promise<void> {
    await this.#traces.remove(id);
    await this.#renew(by, id, undefined);
  }

  /**
   * Clients often start a server, stop it and start it again: a process that is just ending is waited for, and one that was
   * killed does not keep the ticket.
   */
  async #claim(by: Author, id: string): Promise<void> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      try {
        return await this.#renew(by, id, claimMinutes);
      } catch (error) {
        if (isClaimed(error) && (await this.#releaseKilled(by, id))) continue;
        if (!isClaimed(error) || this.#ending.signal.aborted || performance.now() > deadline) throw error;
        await this.#pause(retryAfterMs, this.#ending.signal).catch(() => undefined);
      }
    }
  }

  /** Releases the claim with the mark of the killed process; nothing happens if someone else has it by now. */
  async #releaseKilled(by: Author, id: string): Promise<boolean> {
    const mark = await this.#traces.ofKilled(id);
    if (mark === undefined) return false;
    await this.#traces.remove(id);
    const released = this.#renew(this.#withMark(by, mark), id, undefined);
    return released.then(
      () => true,
      () => false,
    );
  }

  #withMark(by: Author, instance = this.#mark): Author {
    return { ...by, principal: { ...by.principal, instance } };
  }
}

function isClaimed(error: unknown): boolean {
  return error instanceof ForgeError && error.code === "CONFLICT_ERROR" && error.details?.["holder"] !== undefined;
}

function holdRecord(principal: Principal, ticket: string): Author["record"] {
  const about = [`ticket:${ticket}`];
  const entry = { kind: "command", name: "forge execute", effect: "set" } as const;
  return newRecord(principal, { id: randomUUID(), at: Date.now(), ...entry, about });
}
