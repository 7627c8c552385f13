import { randomUUID } from "node:crypto";
import { localPrincipal, type Principal } from "../../src/kernel/principal.ts";
import { newRecord } from "../../src/kernel/record.ts";
import type { By } from "../../src/rooms/tickets/ports.ts";

/** A caller, with a ledger entry of its own for each change. */
export function by(principal: Principal = localPrincipal("ada", "harness", "1111")): By {
  const begun = { id: randomUUID(), at: Date.now(), kind: "tool", name: "test", effect: "set" } as const;
  return { principal, record: newRecord(principal, begun) };
}
