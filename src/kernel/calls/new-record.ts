import type { Principal } from "../principal.ts";
import type { CallRecord } from "./call.ts";

type NewCall = Pick<CallRecord, "id" | "at" | "kind" | "name" | "effect"> & {
  about?: string[];
  once?: CallRecord["once"] | undefined;
};

/** The ledger's entry of what has just begun. Written out: every call has one. */
export function newRecord(
  { id: principal, agent }: Principal,
  { id, at, kind, name, effect, about = [], once }: NewCall,
): CallRecord {
  return {
    id,
    at,
    kind,
    name,
    effect,
    principal,
    agent,
    about,
    outcome: "open",
    code: undefined,
    durationMs: 0,
    evidence: [],
    committed: false,
    ...(once && { once }),
  };
}
