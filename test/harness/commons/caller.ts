import { randomUUID } from "node:crypto";
import type { Call } from "../../../src/kernel/calls/call.ts";
import { newRecord } from "../../../src/kernel/calls/new-record.ts";
import { localPrincipal, type Principal } from "../../../src/kernel/principal.ts";
import type { Author } from "../../../src/rooms/tickets/service/tickets.ts";

/** A caller, with a new ledger entry for each change. */
export function by(principal: Principal = localPrincipal("ada", "harness", "1111")): Author {
  const begun = { id: randomUUID(), at: Date.now(), kind: "tool", name: "test", effect: "set" } as const;
  return { principal, record: newRecord(principal, begun) };
}

/** A running call by the caller that no one listens to. */
export function callOf(caller: Author): Call {
  return {
    ...caller,
    signal: new AbortController().signal,
    report: () => undefined,
    log: () => undefined,
    noteUntrusted: async () => undefined,
    canAsk: () => false,
    ask: () => Promise.reject(new Error("nobody is asked")),
  };
}
