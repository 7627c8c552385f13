import type { Principal } from "../../../kernel/principal.ts";
import type { WorkAtHand } from "./tickets.ts";

const mostCallers = 1_000;
const mostTickets = 100;

/** What each caller of this process works on, for the guard. Gone with the process: a new one begins with nothing. */
export class ActiveTickets implements WorkAtHand {
  readonly #tickets = new Map<string, Set<string>>();
  /** Who has read what others wrote, on this connection. */
  readonly #swayed = new Set<string>();
  /** What a person started this process for; everyone it serves works on it. */
  readonly #bound = new Set<string>();

  bind(id: string): void {
    this.#bound.add(id);
  }

  add(principal: Principal, id: string): void {
    const key = keyOf(principal);
    if (!this.#tickets.has(key) && this.#tickets.size >= mostCallers) this.#tickets.clear();
    const begun = this.#tickets.get(key) ?? new Set();
    if (begun.size < mostTickets) this.#tickets.set(key, begun.add(id));
  }

  noteRead(principal: Principal, id: string): void {
    const key = keyOf(principal);
    if (this.#bound.size === 0 && !this.#tickets.has(key) && !this.#swayed.has(key)) this.add(principal, id);
  }

  noteForeign(principal: Principal): void {
    if (this.#swayed.size >= mostCallers) this.#swayed.clear();
    this.#swayed.add(keyOf(principal));
  }

  scopeOf(principal: Principal): { touches: string[] } {
    const tickets = new Set([...this.#bound, ...(this.#tickets.get(keyOf(principal)) ?? [])]);
    return { touches: [...tickets].map((id) => `ticket:${id}`) };
  }
}

function keyOf({ id, agent, instance }: Principal): string {
  return JSON.stringify([id, agent, instance]);
}
