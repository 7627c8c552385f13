import type { Claiming } from "../../../commons/claims/index.ts";
import type { Store } from "../../../commons/house.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import type { Lazy } from "../../../kernel/definitions/room.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { Git } from "../../../platform/git/git.ts";
import type { ProofPort, WorkbenchPort } from "../model/ports.ts";
import type { RecordEntry } from "../model/records/schema.ts";
import type { Status } from "../model/status.ts";
import type {
  ChangeRecord,
  HistoryEntry,
  NewQuestion,
  Ticket,
  TicketChanges,
  TicketClaim,
  TicketDocument,
  TicketDraft,
  TicketPage,
  TicketSummary,
  WorkBase,
} from "../model/ticket.ts";
import type { TicketFilter } from "../model/ticket-fields.ts";
import type { PushSource } from "../remote/push-local.ts";
import type { ActiveTickets } from "./active-tickets.ts";
import type { Guides } from "./guides.ts";

/** Who changes a ticket, and the ledger entry that is committed with the change. */
export type Author = Actor & {
  /** The revision that the change is based on: CONFLICT_ERROR if the ticket has changed since. */
  expectedRevision?: number | undefined;
  /** The text may be what others told the caller to write: the ticket then counts as written by others. */
  foreign?: boolean | undefined;
};

export type MovedTicket = { ticket: Ticket; from: Status; moved: boolean };

/** A ticket from a file. Its status, id and so on are in the document, in current or legacy form. */
export type ImportedTicket = {
  document: TicketDocument;
  source: string;
  /** What the policy says of one that is complete; by default it is unproven. */
  proof?: ChangeRecord["proof"];
  /** The ticket that it replaces, as it was found to be proven. */
  judged?: Ticket;
};

export type CompleteOptions = {
  /** Corrects the record of a ticket that is complete. */
  correct?: boolean;
  /** The ticket as it was found to be proven. A server finds that itself. */
  judged?: Ticket | undefined;
};

/** What to do if a ticket with the same id exists. */
export type ExistingIdPolicy = "refuse" | "skip" | "replace" | "new-id";

export type ImportOutcome = { id: string; outcome: "added" | "replaced" | "skipped" | "unchanged"; was?: string };

export type Suggestion = Pick<TicketSummary, "id" | "title" | "status" | "foreign" | "soleAuthor">;

/**
 * The rules of tickets. Local and remote are two implementations; a tool, a prompt or a command never knows which it has.
 * Every method takes ids in any case (`t-1` is `T-001`) and slugs; an unknown one is NOT_FOUND with the nearest matches.
 */
export interface Tickets {
  /** `partly`: what a list showed is enough if the server is away and nothing more is known; it is `incomplete` then. */
  get(id: string, options?: { partly?: boolean }): Promise<Ticket>;
  /** Newest first. Archived tickets only if their status is asked for. */
  list(filter: TicketFilter): Promise<TicketPage>;
  /** For completion: tickets whose id starts with this or whose text contains it, without archived ones. */
  suggest(typed: string, limit: number, among?: readonly Status[]): Promise<Suggestion[]>;
  /** The latest `limit` entries (default: 100), oldest first. */
  history(id: string, limit?: number): Promise<HistoryEntry[]>;
  /** `status` is DRAFT or what a draft can move to. */
  create(by: Author, draft: TicketDraft, options?: { status?: Status | undefined }): Promise<Ticket>;
  /** CONFLICT_ERROR if `expectedRevision` is given and the ticket has changed since. */
  update(by: Author, id: string, changes: TicketChanges, expectedRevision?: number): Promise<Ticket>;
  /** `base`: where in the repository work starts, for a move to CREATED. */
  move(by: Author, id: string, status: Status, base?: WorkBase): Promise<MovedTicket>;
  /** One caller at a time can have a claim; claiming again renews it. Assigns the ticket if it is unassigned. */
  claim(by: Author, id: string, claiming: Claiming): Promise<Ticket & { claim: TicketClaim }>;
  release(by: Author, id: string, claiming?: Pick<Claiming, "held">): Promise<Ticket>;
  /** Records where in the repository work starts, and assigns an unassigned ticket to the caller. */
  start(by: Author, id: string, base: WorkBase): Promise<Ticket>;
  /** With the answers that are known. An answer to a question that is there already is added to it. */
  addQuestions(by: Author, id: string, questions: NewQuestion[]): Promise<Ticket>;
  /** By question id (`Q-1`). */
  answer(by: Author, id: string, answers: Record<string, string>): Promise<Ticket>;
  /** By question id, with the reason why it needs no answer. Only for a person. */
  dismiss(by: Author, id: string, reasons: Record<string, string>): Promise<Ticket>;
  /** Moves it to COMPLETE with a record of what was done. `correct` replaces parts of an existing record. */
  complete(by: Author, id: string, record: ChangeRecord, options?: CompleteOptions): Promise<Ticket>;
  /** Adds to what Forge keeps beside the text: a comment, work that was done, a check, what checks showed. */
  record(by: Author, id: string, entry: RecordEntry): Promise<Ticket>;
  /** What can be started next: READY, unassigned, not claimed and not blocked; the most urgent and oldest first. */
  next(limit: number): Promise<TicketSummary[]>;
  /** All of them or none, in one transaction. */
  import(by: Author, tickets: ImportedTicket[], onExisting: ExistingIdPolicy): Promise<ImportOutcome[]>;
  /**
   * Replaces the complete document (an edit of the ticket's text); CONFLICT_ERROR if the ticket has changed since. `proof`: what
   * the policy says, if that completes it.
   */
  replace(
    by: Author,
    id: string,
    document: TicketDocument,
    expectedRevision: number,
    proof?: ChangeRecord["proof"],
  ): Promise<Ticket>;
  /** Calls back when this ticket, or any, was changed by this or another process; returns how to stop. */
  watch(id: string | undefined, changed: () => void): () => void;
}

/** Tickets that a process can claim until it stops. */
export interface ClaimableTickets extends Tickets {
  /** Claims a ticket for this process, for as long as it runs. */
  hold(id: string, principal: Principal): Promise<void>;
  /** Releases what this process holds. */
  stop(): Promise<void>;
}

/** What tools that read the repository need. */
export type RepositoryServices = {
  git: Git;
  /** The folder that Forge was started in. */
  cwd: string;
};

/** What the room's tools, prompts, resources and commands run on. */
export type TicketServices = RepositoryServices & {
  tickets: ClaimableTickets;
  active: ActiveTickets;
  guard: Store["guard"];
  guides: Guides;
  /** Executions of the project; undefined where there is no workbench. */
  workbench: Lazy<WorkbenchPort | undefined>;
  /** What is proven of tickets; undefined where that cannot be told. */
  proof: Lazy<ProofPort | undefined>;
  /** The project's own tickets and the team's server, whichever of the two `tickets` is. */
  pushSource: PushSource;
};
