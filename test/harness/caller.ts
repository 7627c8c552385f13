import { randomUUID } from "node:crypto";
import { localPrincipal, type Principal } from "../../src/kernel/principal.ts";
import type { By } from "../../src/rooms/tickets/ports.ts";

/** A caller, with a ledger entry of its own for each change. */
export function by(principal: Principal = localPrincipal("ada", "harness", "1111")): By {
  return {
    principal,
    record: {
      id: randomUUID(),
      at: Date.now(),
      kind: "tool",
      name: "test",
      effect: "set",
      principal: principal.id,
      agent: principal.agent,
      about: [],
      outcome: "open",
      code: undefined,
      durationMs: 0,
      evidence: [],
      committed: false,
    },
  };
}
