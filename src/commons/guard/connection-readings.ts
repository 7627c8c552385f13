import type { TextOrigin } from "../../kernel/calls/call.ts";
import type { Principal } from "../../kernel/principal.ts";

const maxCallers = 10_000;

/** Whose text was read on each connection, since the process started. */
export class ConnectionReadings {
  readonly #origins = new Map<string, Set<TextOrigin>>();

  note(principal: Principal, from: TextOrigin): void {
    const key = keyOf(principal);
    const origins = this.#origins.get(key) ?? new Set();
    this.#origins.delete(key);
    this.#origins.set(key, origins.add(from));
    const [oldest] = this.#origins.keys();
    if (this.#origins.size > maxCallers && oldest !== undefined) this.#origins.delete(oldest);
  }

  of(principal: Principal): ReadonlySet<TextOrigin> {
    return this.#origins.get(keyOf(principal)) ?? new Set();
  }
}

function keyOf({ id, agent, instance }: Principal): string {
  return JSON.stringify([id, agent, instance]);
}
