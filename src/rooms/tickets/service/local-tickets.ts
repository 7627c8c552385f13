import { type Claiming, Claims } from "../../../commons/claims/index.ts";
import type { Leases } from "../../../commons/leases/index.ts";
import type { Ledger } from "../../../commons/ledger/index.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { Database } from "../../../platform/db/database.ts";
import { initialAuthorship } from "../model/authorship.ts";
import {
  applyAssignment,
  emptyTicket,
  applyMove,
  applyReplacement,
  requireClaimable,
  requireCompletable,
  applyStart,
  applyUpdate,
} from "../model/transitions.ts";
import { editDocument } from "../model/edit-document.ts";
import { claimedByOther } from "../model/errors.ts";
import { requireId } from "../model/ids.ts";
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
import { type Asker, addQuestions, answerQuestions } from "../model/questions.ts";
import { canResume, requireGate, requireMove, type Status } from "../model/status.ts";
import { readFacts } from "../reading/facts.ts";
import { factColumns } from "../store/fact-columns.ts";
import { SeqCache } from "../store/seq-cache.ts";
import { TicketCache } from "../store/rows.ts";
import { TicketStore, type Tx } from "../store/ticket-store.ts";
import { type Transition, TicketWriter } from "./ticket-writer.ts";
import { TicketImporter } from "./ticket-importer.ts";
import { TicketQueries } from "./ticket-queries.ts";
import type { Author, ClaimableTickets, ImportedTicket, ImportOutcome, MovedTicket, OnExisting, WorkBase } from "./tickets.ts";

export type LocalTicketsOptions = {
  database: Database<unknown>;
  ledger: Pick<Ledger, "commit" | "watch">;
  leases: Leases;
  /** Whose tickets they are, on a server. */
  team?: string;
  /** Shared by those who read the same database. */
  reader?: TicketCache;
  now?: () => number;
};

/** Tickets in the project's own store, with all their rules. */
export class LocalTickets implements ClaimableTickets {
  readonly #store: TicketStore;
  readonly #claims: Claims;
  readonly #looking: TicketQueries;
  readonly #changing: TicketWriter;
  readonly #importing: TicketImporter;
  readonly #ledger: Pick<Ledger, "commit" | "watch">;
  readonly #now: () => number;

  constructor({
    database,
    ledger,
    leases,
    team = "",
    reader = new TicketCache(),
    now = Date.now,
  }: LocalTicketsOptions) {
    this.#store = new TicketStore(database, team);
    const nameOf = (id: string) => (team === "" ? `ticket:${id}` : `ticket:${team}:${id}`);
    this.#claims = new Claims({ leases, nameOf, taken: claimedByOther, now });
    const shared = { store: this.#store, claims: this.#claims, reader, met: new SeqCache() };
    this.#changing = new TicketWriter({ ...shared, ledger, now });
    this.#looking = new TicketQueries({ ...shared, changing: this.#changing });
    this.#importing = new TicketImporter(this.#store, this.#changing, this.#claims, now);
    this.#ledger = ledger;
    this.#now = now;
  }

  get(id: string): Promise<Ticket> {
    return this.#looking.get(id);
  }

  list(filter: TicketFilter): Promise<TicketPage> {
    return this.#looking.list(filter);
  }

  suggest(typed: string, limit: number, among?: readonly Status[]) {
    return this.#looking.suggest(typed, limit, among);
  }

  history(id: string, limit?: number): Promise<HistoryEntry[]> {
    return this.#looking.history(id, limit);
  }

  /** How many there are, archived ones too. */
  count(): Promise<number> {
    return this.#looking.count();
  }

  create(by: Author, draft: TicketDraft, { status = "DRAFT" }: { status?: Status | undefined } = {}): Promise<Ticket> {
    if (status !== "DRAFT") requireMove("A new ticket", "DRAFT", status, undefined);
    const { title, type, priority, assignee, ...said } = draft;
    const { document } = editDocument(emptyTicket, said);
    return this.#store.database.transaction(async (tx) => {
      const id = await this.#store.nextId(tx);
      const now = this.#now();
      const { name } = by.principal;
      const columns = {
        ...factColumns({ ...(type && { type }), ...(priority && { priority }), ...(assignee && { assignee }) }),
        id,
        title,
        status,
        created_at: now,
        updated_at: now,
        created_by: name,
        updated_by: name,
        revision: 1,
        ...initialAuthorship(by),
      };
      const ticket = await this.#changing.add(tx, by, columns, document, { kind: "created", details: { status } });
      this.#changing.name(by, [id]);
      await this.#ledger.commit(tx, by.record);
      return ticket;
    });
  }

  update(by: Author, id: string, changes: TicketChanges, expectedRevision?: number): Promise<Ticket> {
    return this.#changing.change(by, id, (ticket) => applyUpdate(ticket, changes), expectedRevision);
  }

  async move(by: Author, id: string, status: Status): Promise<MovedTicket> {
    let from: Status = status;
    const ticket = await this.#changing.change(by, id, (before) => {
      from = before.status;
      requireMove(before.id, from, status, before.previousStatus);
      return from === status ? undefined : applyMove(before, status, by.principal);
    });
    return { ticket, from, moved: from !== status };
  }

  async claim(by: Author, id: string, claiming: Claiming): Promise<Ticket & { claim: TicketClaim }> {
    let claim: TicketClaim | undefined;
    const ticket = await this.#changing.decideOn(by, id, by.expectedRevision, async (before, tx) => {
      requireClaimable(before);
      const taken = await this.#claims.take(tx, before.id, by.principal, claiming);
      claim = taken.claim;
      if (!taken.isNew || claiming.held) return undefined;
      const { columns, happenings } = applyAssignment(before, by.principal);
      const { holder, until } = claim;
      return { columns, events: [{ kind: "claimed", details: { holder, until } }, ...happenings] };
    });
    if (!claim) throw new Error("a claim was neither given nor refused");
    return { ...ticket, claim };
  }

  release(by: Author, id: string, { held = false }: Pick<Claiming, "held"> = {}): Promise<Ticket> {
    return this.#changing.decideOn(by, id, by.expectedRevision, async (before, tx, lease) => {
      this.#claims.refuseOthers(before.id, lease, by.principal);
      const holder = await this.#claims.end(tx, before.id);
      if (holder === undefined || held) return undefined;
      return { events: [{ kind: "released", details: { holder } }] };
    });
  }

  start(by: Author, id: string, base: WorkBase): Promise<Ticket> {
    return this.#changing.change(by, id, (ticket) => {
      // Once more, where nobody can come between.
      requireGate("execute", ticket.id, ticket.status, canResume(ticket, by.principal.name));
      return applyStart(ticket, by.principal, base);
    });
  }

  /** Several changes as one: what a request asks for at once. */
  change(by: Author, id: string, decide: (ticket: Ticket, asker: Asker) => Transition | undefined): Promise<Ticket> {
    return this.#changing.change(by, id, (before) => decide(before, this.#asker(by)));
  }

  /** Claims it for this process, for as long as it runs. */
  hold(id: string, principal: Principal): Promise<void> {
    return this.#claims.hold(requireId(id), principal);
  }

  addQuestions(by: Author, id: string, questions: NewQuestion[]): Promise<Ticket> {
    return this.#changing.change(by, id, (ticket) => {
      const { document, added } = addQuestions(ticket, questions, this.#asker(by));
      if (added.length === 0) return undefined;
      return {
        document,
        events: [{ kind: "questions", details: { questions: added.map(({ id: name }) => name) } }],
      };
    });
  }

  answer(by: Author, id: string, answers: Record<string, string>): Promise<Ticket> {
    return this.#changing.change(by, id, (ticket) => ({
      document: answerQuestions(ticket, answers, this.#asker(by)),
      events: [{ kind: "answers", details: { questions: Object.keys(answers) } }],
    }));
  }

  complete(by: Author, id: string, record: ChangeRecord): Promise<Ticket> {
    return this.#changing.change(by, id, (ticket) => {
      requireCompletable(ticket);
      const submittedAt = new Date(this.#now()).toISOString();
      return {
        columns: { status: "COMPLETE" },
        document: { ...ticket.document, changeRecord: { ...record, status: "awaiting_review", submittedAt } },
        events: [{ kind: "completed", details: { from: ticket.status, to: "COMPLETE", ...record } }],
      };
    });
  }

  import(by: Author, tickets: ImportedTicket[], onExisting: OnExisting): Promise<ImportOutcome[]> {
    const bringIn = async (tx: Tx) => {
      const outcomes: ImportOutcome[] = [];
      for (const ticket of tickets) outcomes.push(await this.#importing.import(tx, by, ticket, onExisting));
      const changed = outcomes.filter(({ outcome }) => outcome === "added" || outcome === "replaced");
      this.#changing.name(
        by,
        changed.map(({ id }) => id),
      );
      if (changed.length > 0) await this.#ledger.commit(tx, by.record);
      return outcomes;
    };
    return this.#store.database.transaction(bringIn, { isLong: tickets.length > 1 });
  }

  replace(by: Author, id: string, document: TicketDocument, expectedRevision: number): Promise<Ticket> {
    const { warnings: _, ...facts } = readFacts(document);
    return this.#changing.change(by, id, (ticket) => applyReplacement(ticket, document, facts), expectedRevision);
  }

  watch(id: string | undefined, changed: () => void): () => void {
    const names = new Set(id === undefined ? [] : [`ticket:${requireId(id)}`]);
    // Asked for by its slug, it is known by its id in the ledger.
    if (id !== undefined) void this.#properId(id).then((proper) => names.add(`ticket:${proper}`));
    const isOf = (item: string) => (id === undefined ? item.startsWith("ticket:") : names.has(item));
    return this.#ledger.watch(changed, ({ effect, outcome, about }) => {
      return effect !== "read" && outcome === "ok" && about.some(isOf);
    });
  }

  async #properId(given: string): Promise<string> {
    const row = await this.#store.database.read((db) => this.#store.find(db, given)).catch(() => undefined);
    return row?.id ?? given;
  }

  /** Gives back what this process holds. */
  stop(): Promise<void> {
    return this.#claims.stop();
  }

  #asker({ principal }: Author) {
    return {
      by: principal.agent ? `${principal.name}/${principal.agent}` : principal.name,
      at: new Date(this.#now()).toISOString(),
    };
  }
}
