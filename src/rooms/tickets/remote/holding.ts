import { randomUUID } from "node:crypto";
import type { Principal } from "../../../kernel/principal.ts";
import type { By } from "../ports.ts";

const minutes = 2;
const renewEveryMs = 30_000;

/** Renews a claim, or ends it where no minutes are given. */
type KeepClaim = (by: By, id: string, minutes: number | undefined) => Promise<void>;

type Held = { by: By; timer: NodeJS.Timeout };

/**
 * Tickets that this process has claimed on the server until it ends. Whoever it serves meanwhile speaks with the mark of the
 * claim, or would be kept off a ticket that is held for them.
 */
export class Holding {
  readonly #mark = randomUUID();
  readonly #keep: KeepClaim;
  readonly #held = new Map<string, Held>();

  constructor(keep: KeepClaim) {
    this.#keep = keep;
  }

  async hold(id: string, { atKeyboard: _, ...principal }: Principal): Promise<void> {
    // A claim of the process, not the person's word: by its mark alone it is told from those of others.
    const by = this.#marked({ principal, record: holdRecord(principal, id) });
    await this.#keep(by, id, minutes);
    clearInterval(this.#held.get(id)?.timer);
    // A renewal that fails is made up for by the next; after the last, the claim is free for others, as it should be.
    const renew = () => void this.#keep(by, id, minutes).catch(() => undefined);
    this.#held.set(id, { by, timer: setInterval(renew, renewEveryMs).unref() });
  }

  as(by: By, id: string): By {
    return this.#held.has(id) ? this.#marked(by) : by;
  }

  async stop(): Promise<void> {
    const held = [...this.#held];
    this.#held.clear();
    for (const [, { timer }] of held) clearInterval(timer);
    await Promise.allSettled(held.map(([id, { by }]) => this.#keep(by, id, undefined)));
  }

  #marked(by: By): By {
    return { ...by, principal: { ...by.principal, instance: this.#mark } };
  }
}

function holdRecord({ id: principal, agent }: Principal, ticket: string): By["record"] {
  return {
    id: randomUUID(),
    at: Date.now(),
    kind: "command",
    name: "forge execute",
    effect: "set",
    principal,
    agent,
    about: [`ticket:${ticket}`],
    outcome: "open",
    code: undefined,
    durationMs: 0,
    evidence: [],
    committed: false,
  };
}
