import { type Claiming, Claims } from "../../../commons/claims/index.ts";
import type { Leases } from "../../../commons/leases/index.ts";
import type { Ledger } from "../../../commons/ledger/index.ts";
import { type Principal, signatureOf } from "../../../kernel/principal.ts";
import type { Database } from "../../../platform/db/database.ts";
import { initialAuthorship } from "../model/authorship.ts";
import { editDocument } from "../model/edit-document.ts";
import { claimedByOther, onlyAPersonDismisses, slugTaken, ticketCycle, unknownDependency } from "../model/errors.ts";
import { canonicalId, requireId } from "../model/ids.ts";
import { type Asker, answerQuestions, dismissQuestions } from "../model/questions.ts";
import { applyRecord } from "../model/records/apply-record.ts";
import type { RecordEntry } from "../model/records/schema.ts";
import { canResume, requireGate, requireMove, type Status } from "../model/status.ts";
import type {
  ChangeRecord,
  NewQuestion,
  Ticket,
  TicketChanges,
  TicketClaim,
  TicketDocument,
  TicketDraft,
  WorkBase,
} from "../model/ticket.ts";
import {
  applyAssignment,
  applyCompletion,
  applyMove,
  applyQuestions,
  applyReplacement,
  applyStart,
  applyUpdate,
  emptyTicket,
  isDone,
  requireClaimable,
  requireSameProof,
  type Transition,
} from "../model/transitions.ts";
import { readFacts } from "../reading/facts.ts";
import { factColumns } from "../store/fact-columns.ts";
import { TicketCache } from "../store/ticket-cache.ts";
import { TicketStore, type Tx } from "../store/ticket-store.ts";
import { findCycle } from "./find-cycle.ts";
import { TicketImporter } from "./ticket-importer.ts";
import { TicketQueries } from "./ticket-queries.ts";
import { TicketWriter } from "./ticket-writer.ts";
import type {
  Author,
  ClaimableTickets,
  CompleteOptions,
  ExistingIdPolicy,
  ImportedTicket,
  ImportOutcome,
  MovedTicket,
} from "./tickets.ts";

export type LocalTicketsOptions = {
  database: Database<unknown>;
  ledger: Pick<Ledger, "commit" | "watch">;
  leases: Leases;
  /** The team they belong to, on a server. */
  team?: string;
  /** Shared by all teams of one database. */
  cache?: TicketCache;
  now?: () => number;
};

/** Tickets in the project's own store, or a team's on its server: queries, and every change with its rules. */
export class LocalTickets extends TicketQueries implements ClaimableTickets {
  readonly #store: TicketStore;
  readonly #claims: Claims;
  readonly #writer: TicketWriter;
  readonly #importer: TicketImporter;
  readonly #ledger: Pick<Ledger, "commit" | "watch">;
  readonly #now: () => number;

  constructor(options: LocalTicketsOptions) {
    const { database, ledger, leases, team = "", cache = new TicketCache(), now = Date.now } = options;
    const store = new TicketStore(database, team);
    const nameOf = (id: string) => (team === "" ? `ticket:${id}` : `ticket:${team}:${id}`);
    const claims = new Claims({ leases, nameOf, taken: claimedByOther, now });
    super({ store, claims, cache });
    this.#store = store;
    this.#claims = claims;
    this.#writer = new TicketWriter({ store, ledger, claims, cache, now });
    this.#importer = new TicketImporter({ store, writer: this.#writer, claims, now });
    this.#ledger = ledger;
    this.#now = now;
  }

  create(by: Author, draft: TicketDraft, { status = "DRAFT" }: { status?: Status | undefined } = {}): Promise<Ticket> {
    if (status !== "DRAFT") requireMove("A new ticket", "DRAFT", status, undefined);
    const { title, type, priority, assignee, ...content } = draft;
    const { document } = editDocument(emptyTicket, content);
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
      const ticket = await this.#writer.add(tx, by, columns, document, { kind: "created", details: { status } });
      this.#writer.nameTickets(by, [id]);
      await this.#ledger.commit(tx, by.record);
      return ticket;
    });
  }

  async update(by: Author, id: string, changes: TicketChanges, expectedRevision?: number): Promise<Ticket> {
    if (changes.dependsOn?.length) await this.requireUsable(id, changes.dependsOn);
    return this.#writer.change(by, id, (ticket) => applyUpdate(ticket, changes), expectedRevision);
  }

  async move(by: Author, id: string, status: Status, base?: WorkBase): Promise<MovedTicket> {
    if (status === "CREATED") await this.requireUnblocked(id);
    let from: Status = status;
    const ticket = await this.#writer.change(by, id, (before) => {
      from = before.status;
      requireMove(before.id, from, status, before.previousStatus);
      return from === status ? undefined : applyMove(before, status, by.principal, base);
    });
    return { ticket, from, moved: from !== status };
  }

  async claim(by: Author, id: string, claiming: Claiming): Promise<Ticket & { claim: TicketClaim }> {
    let claim: TicketClaim | undefined;
    const ticket = await this.#writer.changeInTransaction(by, id, by.expectedRevision, async (before, tx) => {
      requireClaimable(before);
      const taken = await this.#claims.take(tx, before.id, by.principal, claiming);
      claim = taken.claim;
      if (!taken.isNew || claiming.held) return undefined;
      const { columns, events } = applyAssignment(before, by.principal);
      const { holder, until } = claim;
      return { columns, events: [{ kind: "claimed", details: { holder, until } }, ...events] };
    });
    if (!claim) throw new Error("a claim was neither given nor refused");
    return { ...ticket, claim };
  }

  release(by: Author, id: string, { held = false }: Pick<Claiming, "held"> = {}): Promise<Ticket> {
    return this.#writer.changeInTransaction(by, id, by.expectedRevision, async (before, tx, lease) => {
      this.#claims.refuseOthers(before.id, lease, by.principal);
      const holder = await this.#claims.end(tx, before.id);
      if (holder === undefined || held) return undefined;
      return { events: [{ kind: "released", details: { holder } }] };
    });
  }

  async start(by: Author, id: string, base: WorkBase): Promise<Ticket> {
    await this.requireUnblocked(id);
    return this.#writer.change(by, id, (ticket) => {
      // Checked again here, where nobody can change the ticket in between.
      requireGate("execute", ticket, canResume(ticket, by.principal.name));
      return applyStart(ticket, by.principal, base);
    });
  }

  /** Several changes as one, for a request that asks for them at once. */
  change(by: Author, id: string, decide: (ticket: Ticket, asker: Asker) => Transition | undefined): Promise<Ticket> {
    return this.#writer.change(by, id, (before) => decide(before, this.#asker(by)));
  }

  hold(id: string, principal: Principal): Promise<void> {
    return this.#claims.hold(requireId(id), principal);
  }

  addQuestions(by: Author, id: string, questions: NewQuestion[]): Promise<Ticket> {
    return this.#writer.change(by, id, (ticket) => applyQuestions(ticket, questions, this.#asker(by)));
  }

  answer(by: Author, id: string, answers: Record<string, string>): Promise<Ticket> {
    return this.#writer.change(by, id, (ticket) => ({
      document: answerQuestions(ticket, answers, this.#asker(by)),
      events: [{ kind: "answers", details: { questions: Object.keys(answers) } }],
    }));
  }

  async dismiss(by: Author, id: string, reasons: Record<string, string>): Promise<Ticket> {
    if (!by.principal.atKeyboard) throw onlyAPersonDismisses();
    return this.#writer.change(by, id, (ticket) => ({
      document: dismissQuestions(ticket, reasons, this.#asker(by)),
      events: [{ kind: "dismissed", details: { questions: Object.keys(reasons), reasons } }],
    }));
  }

  complete(
    by: Author,
    id: string,
    record: ChangeRecord,
    { correct = false, judged }: CompleteOptions = {},
  ): Promise<Ticket> {
    const at = new Date(this.#now()).toISOString();
    return this.#writer.change(by, id, (ticket) => {
      if (judged) requireSameProof(judged, ticket);
      return applyCompletion(ticket, record, at, correct);
    });
  }

  record(by: Author, id: string, entry: RecordEntry): Promise<Ticket> {
    const asker = this.#asker(by);
    return this.#writer.change(by, id, (ticket) => applyRecord(ticket, entry, { principal: by.principal, ...asker }));
  }

  /** Throws if a dependency does not exist, or leads back to the ticket. */
  async requireUsable(id: string, given: readonly string[]): Promise<void> {
    const { id: own } = await this.get(id);
    const ids = given.map(canonicalId);
    const statuses = await this.#store.database.read((db) => this.#store.findStatuses(db, ids));
    const missing = ids.filter((one) => !statuses.has(one));
    if (missing.length > 0) throw unknownDependency(own, missing);
    const way = await findCycle(own, ids, (some) =>
      this.#store.database.read((db) => this.#store.findDependencies(db, some)),
    );
    if (way) throw ticketCycle(way);
  }

  import(by: Author, tickets: ImportedTicket[], onExisting: ExistingIdPolicy): Promise<ImportOutcome[]> {
    const importAll = async (tx: Tx) => {
      const outcomes: ImportOutcome[] = [];
      for (const ticket of tickets) outcomes.push(await this.#importer.import(tx, by, ticket, onExisting));
      const changed = outcomes.filter(({ outcome }) => outcome === "added" || outcome === "replaced");
      this.#writer.nameTickets(
        by,
        changed.map(({ id }) => id),
      );
      if (changed.length > 0) await this.#ledger.commit(tx, by.record);
      return outcomes;
    };
    return this.#store.database.transaction(importAll, { isLong: tickets.length > 1 });
  }

  replace(
    by: Author,
    id: string,
    document: TicketDocument,
    expectedRevision: number,
    proof?: ChangeRecord["proof"],
  ): Promise<Ticket> {
    const { warnings: _, ...facts } = readFacts(document);
    return this.#writer.changeInTransaction(by, id, expectedRevision, async (ticket, tx, lease) => {
      this.#claims.refuseOthers(ticket.id, lease, by.principal);
      await this.#requireFreeSlug(tx, ticket, facts.slug);
      const transition = applyReplacement(ticket, document, facts, proof);
      if (lease && isDone(transition?.columns?.status)) await this.#claims.end(tx, ticket.id);
      return transition;
    });
  }

  async #requireFreeSlug(tx: Tx, { id, slug }: Ticket, wanted: string | undefined): Promise<void> {
    if (wanted === undefined || wanted === slug) return;
    const owner = await this.#store.find(tx, wanted);
    if (owner && owner.id !== id) throw slugTaken(wanted, owner.id);
  }

  watch(id: string | undefined, changed: () => void): () => void {
    const names = new Set(id === undefined ? [] : [`ticket:${requireId(id)}`]);
    // The ledger names it by its id, also if it is watched by its slug.
    if (id !== undefined) void this.#findId(id).then((known) => names.add(`ticket:${known}`));
    const isWatched = (item: string) => (id === undefined ? item.startsWith("ticket:") : names.has(item));
    return this.#ledger.watch(changed, ({ effect, outcome, about }) => {
      return effect !== "read" && outcome === "ok" && about.some(isWatched);
    });
  }

  async #findId(given: string): Promise<string> {
    const row = await this.#store.database.read((db) => this.#store.find(db, given)).catch(() => undefined);
    return row?.id ?? given;
  }

  stop(): Promise<void> {
    return this.#claims.stop();
  }

  #asker({ principal }: Author): Asker {
    return {
      by: signatureOf(principal),
      at: new Date(this.#now()).toISOString(),
    };
  }
}
