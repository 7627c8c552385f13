import type {
  Check,
  DroppedCriterion,
  LookedAt,
  NewCheck,
  NewVerification,
  Verification,
  Waiver,
} from "../../../commons/evidence/checks.ts";
import type { Action } from "../../../kernel/action.ts";
import type { Call } from "../../../kernel/calls/call.ts";

/** A ticket as proof sees it. */
export type ProofTicket = {
  id: string;
  title: string;
  status: string;
  description?: string | undefined;
  criteria: { id: string; text: string }[];
  fileChanges: { path: string }[];
  /** Where its work started, if that is known. */
  base?: string | undefined;
  revision: number;
  /** The server is away: this is what it said then. */
  stale?: string | undefined;
  records: {
    /** Where work started first. */
    base?: string | undefined;
    work?: WorkDone[] | undefined;
    checks?: Check[] | undefined;
    verifications?: Verification[] | undefined;
    waivers?: Waiver[] | undefined;
    dropped?: DroppedCriterion[] | undefined;
  };
};

export type WorkDone = {
  execution: string;
  status: string;
  by: string;
  at: string;
  endedAt?: string | undefined;
  agent?: string | undefined;
  branch?: string | undefined;
  base?: string | undefined;
  commit?: string | undefined;
  into?: string | undefined;
  files?: string[] | undefined;
  tests?: { run: string; status: string; passed: number; failed: number } | undefined;
};

type ProofEntry =
  | { kind: "check"; check: NewCheck }
  | { kind: "unbind"; check: string }
  | { kind: "look"; check: string; passed: boolean; saw: string; on?: LookedAt }
  | { kind: "verification"; verification: NewVerification }
  | { kind: "waiver"; waiver: { criterion: string; reason: string; until: string; text?: string } };

export type TicketEvent = { at: string; by: string; agent?: string; kind: string; details: Record<string, unknown> };

/** One of the project's rules, as it is in a work tree. */
export type ProvenRule = {
  name: string;
  status: "held" | "broken" | "warning" | "waived" | "not_measured";
  why: string;
};

/** What proof needs of governance. */
export type ProofRules = {
  names(): Promise<string[]>;
  /** By the rules of the commit `since`, if it is known. Of rules that are measured by a command, only those `asked` for. */
  check(
    root: string,
    order: { since: string | undefined; asked: readonly string[] },
    call: Pick<Call, "signal" | "report">,
  ): Promise<ProvenRule[]>;
};

/** What proof needs of tickets. */
export type ProofTickets = {
  /** `reader`: who is given its text, which may be text by others. */
  get(id: string, reader?: Call): Promise<ProofTicket>;
  /** Before its checks run. Throws if the verification must not be recorded. */
  requireVerify(call: Call, id: string, commit: string): Promise<void>;
  /** Adds to the ticket's records. Throws for what only a person may do. */
  record(call: Call, id: string, entry: ProofEntry): Promise<ProofTicket>;
  /** What is left to do for a ticket that is proven: its next task, or to complete it. */
  nextSteps(id: string, call: Call): Promise<Action[]>;
  /** Tickets that were worked on lately, newest first, with their histories. */
  recent(limit: number): Promise<{ ticket: ProofTicket; history: TicketEvent[] }[]>;
};
