import type { CallRecord } from "../../kernel/calls/call.ts";

export const activityUri = "forge://activity";

export type Outcome = CallRecord["outcome"];

/** A call as the ledger keeps it. */
export type LedgerEntry = CallRecord & { seq: number };

export type LedgerFilter = {
  /** How many of the newest; default: 50. */
  limit?: number | undefined;
  /** Calls made at this time or later, in milliseconds since 1970. */
  since?: number | undefined;
  /** Entries after this `seq`. */
  after?: number | undefined;
  name?: string | undefined;
  /** What the call was about: `ticket:T-001`. */
  about?: string | undefined;
  /** Whose call it was, on a server: entries about `team:ID`. */
  team?: string | undefined;
  principal?: string | undefined;
  outcome?: Outcome | undefined;
};

/** How an entry of a server names its team. */
export function teamMark(team: string): string {
  return `team:${team}`;
}

/** Whose call an entry of a laptop is, as tickets and claims name them. */
export function personIn(principal: string): string {
  return principal.replace(/^local:/, "");
}

const relayPrefix = "relay:";

/** How an entry of a laptop names the server it is to be sent to. It is for looking up only, and never shown. */
export function relayMark(recipient: string): string {
  return `${relayPrefix}${recipient}`;
}

export function isRelayMark(about: string): boolean {
  return about.startsWith(relayPrefix);
}

/** Entries: by default, at most in one document, at most in one query, and at most in one message to a server. */
export const limits = { defaultCount: 50, max: 500, maxPerQuery: 10_000, maxPerMessage: 100 };

export function presentEntry({ seq, id, at, kind, name, effect, principal, agent, about, ...entry }: LedgerEntry) {
  const { outcome, code, durationMs, evidence } = entry;
  return {
    seq,
    id,
    at: new Date(at).toISOString(),
    kind,
    name,
    effect,
    principal,
    ...(agent !== undefined && { agent }),
    about,
    outcome,
    ...(code !== undefined && { code }),
    durationMs,
    evidence,
  };
}
