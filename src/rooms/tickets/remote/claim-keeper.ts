import { randomUUID } from "node:crypto";
import { patienceMs } from "../../../commons/claims/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { newRecord } from "../../../kernel/record.ts";
import type { Author } from "../service/tickets.ts";
import type { ClaimTraces } from "./claim-traces.ts";
import { type Pause, sleepUntil } from "./pause.ts";

const minutes = 1;
const renewEveryMs = 15_000;
/** Each look is a request. */
const lookAgainMs = 250;

/** Renews a claim, or ends it where no minutes are given. */
type KeepClaim = (by: Author, id: string, minutes: number | undefined) => Promise<void>;

type Held = { by: Author; timer: NodeJS.Timeout };

/**
 * Tickets that this process has claimed on the server until it ends. Whoever it serves meanwhile speaks with the mark of the
 * claim, or would be kept off a ticket that is held for them.
 */
export class ClaimKeeper {
  readonly #mark: string = randomUUID();
  readonly #keep: KeepClaim;
  readonly #traces: ClaimTraces;
  readonly #pause: Pause;
  readonly #ending = new AbortController();
  readonly #held = new Map<string, Held>();

  constructor(keep: KeepClaim, traces: ClaimTraces, pause: Pause = sleepUntil) {
    this.#keep = keep;
    this.#traces = traces;
    this.#pause = pause;
  }

  async hold(id: string, { atKeyboard: _, ...principal }: Principal): Promise<void> {
    // A claim of the process, not the person's word: by its mark alone it is told from those of others.
    const by = this.#marked({ principal, record: holdRecord(principal, id) });
    await this.#claim(by, id);
    await this.#traces.leave(id, this.#mark);
    clearInterval(this.#held.get(id)?.timer);
    // A renewal that fails is made up for by the next; after the last, the claim is free for others, as it should be.
    const renew = () => void this.#keep(by, id, minutes).catch(() => undefined);
    this.#held.set(id, { by, timer: setInterval(renew, renewEveryMs).unref() });
  }

  as(by: Author, id: string): Author {
    return this.#held.has(id) ? this.#marked(by) : by;
  }

  /** Given back by whoever it was held for. */
  async forget(id: string): Promise<void> {
    clearInterval(this.#held.get(id)?.timer);
    if (this.#held.delete(id)) await this.#traces.remove(id);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    const held = [...this.#held];
    this.#held.clear();
    for (const [, { timer }] of held) clearInterval(timer);
    await Promise.allSettled(held.map(([id, { by }]) => this.#giveBack(by, id)));
  }

  /** The trace goes first: once the claim is free, there may be one of the next process. */
  async #giveBack(by: Author, id: string): Promise<void> {
    await this.#traces.remove(id);
    await this.#keep(by, id, undefined);
  }

  /**
   * Clients start a server, look what it is, end it and start it anew: one that is ending is waited for, and one that was
   * killed does not keep the ticket.
   */
  async #claim(by: Author, id: string): Promise<void> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      try {
        return await this.#keep(by, id, minutes);
      } catch (error) {
        if (isClaimed(error) && (await this.#endKilled(by, id))) continue;
        if (!isClaimed(error) || this.#ending.signal.aborted || performance.now() > deadline) throw error;
        await this.#pause(lookAgainMs, this.#ending.signal).catch(() => undefined);
      }
    }
  }

  /** Given back in the name of the process that is gone, which does nothing where the claim is another's by now. */
  async #endKilled(by: Author, id: string): Promise<boolean> {
    const mark = await this.#traces.ofKilled(id);
    if (mark === undefined) return false;
    await this.#traces.remove(id);
    const givenBack = this.#keep(this.#marked(by, mark), id, undefined);
    return givenBack.then(
      () => true,
      () => false,
    );
  }

  #marked(by: Author, instance = this.#mark): Author {
    return { ...by, principal: { ...by.principal, instance } };
  }
}

function isClaimed(error: unknown): boolean {
  return error instanceof ForgeError && error.code === "CONFLICT_ERROR" && error.details?.["holder"] !== undefined;
}

function holdRecord(principal: Principal, ticket: string): Author["record"] {
  const about = [`ticket:${ticket}`];
  const begun = { kind: "command", name: "forge execute", effect: "set", about } as const;
  return newRecord(principal, { id: randomUUID(), at: Date.now(), ...begun, about });
}
