import type { Principal } from "../principal.ts";
import type { CallRecord } from "./call.ts";

type NewCall = Pick<CallRecord, "id" | "at" | "kind" | "name" | "effect"> & Partial<Pick<CallRecord, "about" | "once">>;

/** The ledger's entry of what has just begun. */
export function newRecord({ id: principal, agent }: Principal, begun: NewCall): CallRecord {
  return {
    principal,
    agent,
    about: [],
    outcome: "open",
    code: undefined,
    durationMs: 0,
    evidence: [],
    committed: false,
    ...begun,
  };
}
