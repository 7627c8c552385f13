import type { Gate, Status } from "../model/status.ts";
import type {
  HistoryEntry,
  NewQuestion,
  Ticket,
  TicketChanges,
  TicketDraft,
  TicketFilter,
  TicketPage,
} from "../model/ticket.ts";
import type { ImportOutcome, MovedTicket, OnExisting } from "../service/tickets.ts";

export const ticketFormats = ["json", "xml", "markdown"] as const;
export type TicketFormat = (typeof ticketFormats)[number];

export type CompletionReport = {
  summary: string | undefined;
  divergences: { area: string; intended: string; actual: string; justification: string }[];
};

export type ImportRequest = {
  text: string;
  /** The file's name, for messages and to tell the format where none is given. */
  source: string;
  format: TicketFormat | undefined;
  onExisting: OnExisting;
};

/** A whole ticket as text for an editor, and the revision it was read at. */
export type EditableTicket = { text: string; revision: number };

/**
 * Tickets as a person's commands see them. Each operation is an entry in the ledger under the command's name. What it
 * returns is the data as it is; the commands make it fit for a terminal.
 */
export type TicketDesk = {
  /** `partly` as of {@link import("../service/tickets.ts").Tickets}. */
  get(id: string, options?: { partly?: boolean }): Promise<Ticket>;
  list(filter: TicketFilter): Promise<TicketPage>;
  suggest(typed: string, limit: number): Promise<{ id: string; title: string; status: Status }[]>;
  history(id: string): Promise<HistoryEntry[]>;
  create(draft: TicketDraft, status: Status | undefined): Promise<Ticket>;
  update(id: string, changes: TicketChanges): Promise<Ticket>;
  move(id: string, status: Status): Promise<MovedTicket>;
  /** `me` is the person whose command it is; null takes the ticket from whoever has it. */
  assign(id: string, assignee: string | null): Promise<Ticket>;
  addQuestions(id: string, questions: NewQuestion[]): Promise<Ticket>;
  answer(id: string, answers: Record<string, string>): Promise<Ticket>;
  /** Moves it to COMPLETE; what was changed is taken from git. */
  complete(id: string, report: CompletionReport): Promise<Ticket>;
  /** Warnings tell what the format could not say. Throws for text that is no ticket, with the place. */
  import(request: ImportRequest): Promise<{ outcomes: ImportOutcome[]; warnings: string[] }>;
  export(id: string, format: TicketFormat): Promise<string>;
  /** As Markdown, for `forge edit`. */
  editable(id: string): Promise<EditableTicket>;
  /** VALIDATION_ERROR with the place where the text is wrong, CONFLICT_ERROR where the ticket has moved on. */
  saveEdited(id: string, edited: EditableTicket): Promise<{ ticket: Ticket; changed: boolean; warnings: string[] }>;
  /**
   * Checks that the ticket can be executed or reviewed, assigns it to the person where an execution begins and nobody is
   * on it, and makes it the work at hand of whoever this process serves. `hold` claims it for this process until it ends.
   */
  begin(gate: Gate, id: string, hold: boolean): Promise<{ ticket: Ticket; assigned: boolean }>;
  /** Calls back on every change of this ticket, or of any; returns how to stop. */
  watch(id: string | undefined, changed: () => void): () => void;
};
