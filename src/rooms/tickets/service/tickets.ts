import type { Claiming } from "../../../commons/claims/index.ts";
import type { Call } from "../../../kernel/call.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { Git } from "../../../platform/git/git.ts";
import type {
  ChangeRecord,
  HistoryEntry,
  NewQuestion,
  Ticket,
  TicketChanges,
  TicketClaim,
  TicketDocument,
  TicketDraft,
  TicketFilter,
  TicketPage,
} from "../model/ticket.ts";
import type { Status } from "../model/status.ts";

/** What tools that look at the repository need of the program. */
export type RepositoryServices = {
  git: Git;
  /** The server's working directory. */
  cwd: string;
};

/** Who changes something, and the ledger entry that is committed with the change. */
export type Author = Pick<Call, "principal" | "record"> & {
  /** The revision that the change is meant for: CONFLICT_ERROR where the ticket has moved on. */
  expectedRevision?: number | undefined;
  /** The text may be what others told the caller to write: the ticket then counts as written by others. */
  foreign?: boolean | undefined;
};

export type MovedTicket = { ticket: Ticket; from: Status; moved: boolean };

/** A ticket out of a file. `status` and the like are in the document, in whatever generation. */
export type ImportedTicket = { document: TicketDocument; source: string };

/** What to do where a ticket of that id is there already. */
export type OnExisting = "refuse" | "skip" | "replace" | "new-id";

export type ImportOutcome = { id: string; outcome: "added" | "replaced" | "skipped" | "unchanged"; was?: string };

/** Where in the repository work began; empty outside one, or before its first commit. */
export type WorkBase = { branch?: string; commit?: string };

/**
 * The rules of tickets. Local and remote are two implementations; a tool, a prompt or a command never knows which it has.
 * Every method takes ids in any case (`t-1` is `T-001`) and slugs; an unknown one is NOT_FOUND with the nearest there are.
 */
export interface Tickets {
  /** `partly`: what a list showed of it is enough, where a server is away and no more is known; it is `incomplete` then. */
  get(id: string, options?: { partly?: boolean }): Promise<Ticket>;
  /** Newest first. Archived ones only where asked for by status. */
  list(filter: TicketFilter): Promise<TicketPage>;
  /** Ids and titles of which one begins with this or holds it, archived ones left out: for completion. */
  suggest(
    typed: string,
    limit: number,
    among?: readonly Status[],
  ): Promise<{ id: string; title: string; status: Status }[]>;
  /** Oldest first; the latest `limit`, 100 unless told. */
  history(id: string, limit?: number): Promise<HistoryEntry[]>;
  /** `status` is DRAFT or what a draft can become. */
  create(by: Author, draft: TicketDraft, options?: { status?: Status | undefined }): Promise<Ticket>;
  /** CONFLICT_ERROR where `expectedRevision` is given and the ticket has moved on. */
  update(by: Author, id: string, changes: TicketChanges, expectedRevision?: number): Promise<Ticket>;
  move(by: Author, id: string, status: Status): Promise<MovedTicket>;
  /** All or nothing, for one at a time; claimed again by whoever has it, it lasts anew. Assigns it where nobody is. */
  claim(by: Author, id: string, claiming: Claiming): Promise<Ticket & { claim: TicketClaim }>;
  release(by: Author, id: string, claiming?: Pick<Claiming, "held">): Promise<Ticket>;
  /** Work on it begins from here in the repository; a ticket that is nobody's becomes the caller's. */
  start(by: Author, id: string, base: WorkBase): Promise<Ticket>;
  addQuestions(by: Author, id: string, questions: NewQuestion[]): Promise<Ticket>;
  /** By question id (`Q-1`). */
  answer(by: Author, id: string, answers: Record<string, string>): Promise<Ticket>;
  /** Moves it to COMPLETE with what was done. */
  complete(by: Author, id: string, record: ChangeRecord): Promise<Ticket>;
  /** All of them or none, in one transaction. */
  import(by: Author, tickets: ImportedTicket[], onExisting: OnExisting): Promise<ImportOutcome[]>;
  /** Replaces what the document says (an edit of the whole ticket); CONFLICT_ERROR where the ticket has moved on. */
  replace(by: Author, id: string, document: TicketDocument, expectedRevision: number): Promise<Ticket>;
  /** Calls back when this ticket, or any where none is named, was changed here or by another process; returns how to stop. */
  watch(id: string | undefined, changed: () => void): () => void;
}

/** Tickets that a process can keep for whoever it serves, until it stops. */
export interface ClaimableTickets extends Tickets {
  /** Claims one for this process, for as long as it runs. */
  hold(id: string, principal: Principal): Promise<void>;
  /** Gives back what this process holds. */
  stop(): Promise<void>;
}

/** A caller's tickets in the sense of the guard: what it may change after reading what others wrote. */
export interface WorkAtHand {
  /** The person named this ticket for the caller: by a prompt, a command, a claim that was allowed. */
  add(principal: Principal, id: string): void;
  /**
   * The first ticket that a caller reads is the one it works on, where nothing was begun. Not for a caller that has read what
   * others wrote before: then they, and not the person, may have chosen it.
   */
  noteRead(principal: Principal, id: string): void;
  noteForeign(principal: Principal): void;
  scopeOf(principal: Principal): { touches: string[] };
}

/** What the room needs of the guard against toxic flows. */
interface TicketGuard {
  require(
    call: Call,
    action: { summary: string; touches: readonly string[]; content: unknown },
    scope: { touches: readonly string[] },
  ): Promise<void>;
  hasReadUntrusted(principal: Principal): Promise<boolean>;
}

/** The text of a guide, the project's own where it has one. */
export interface Guides {
  /** `source` names the project's file, or is undefined for the built-in one. */
  read(name: "dev-executor" | "dev-reviewer"): Promise<{ text: string; source?: string }>;
}

export type TicketServices = RepositoryServices & {
  tickets: Tickets;
  work: WorkAtHand;
  guard: TicketGuard;
  guides: Guides;
};
