import type { Principal } from "../../../kernel/principal.ts";

const maxCallers = 1_000;
const maxTickets = 100;

/**
 * The tickets each caller works on. The guard lets a caller that has read text by others change these only. Gone with the
 * process: a new one starts with none.
 */
export class ActiveTickets {
  readonly #tickets = new Map<string, Set<string>>();
  /** Tickets that a person started this process for; everyone it serves works on them. */
  readonly #bound = new Set<string>();

  bind(id: string): void {
    this.#bound.add(id);
  }

  /** A person named this ticket for the caller: by a prompt, a command, or a claim that was allowed. */
  add(principal: Principal, id: string): void {
    const key = keyOf(principal);
    if (!this.#tickets.has(key) && this.#tickets.size >= maxCallers) this.#tickets.clear();
    const own = this.#tickets.get(key) ?? new Set();
    if (own.size < maxTickets) this.#tickets.set(key, own.add(id));
  }

  /** The first ticket that a caller reads is the one it works on, if it has none. */
  noteRead(principal: Principal, id: string): void {
    if (this.#bound.size === 0 && !this.#tickets.has(keyOf(principal))) this.add(principal, id);
  }

  scopeOf(principal: Principal): { touches: string[] } {
    const tickets = new Set([...this.#bound, ...(this.#tickets.get(keyOf(principal)) ?? [])]);
    return { touches: [...tickets].map((id) => `ticket:${id}`) };
  }
}

function keyOf({ id, agent, instance }: Principal): string {
  return JSON.stringify([id, agent, instance]);
}
