import type { Leases } from "../../commons/leases/index.ts";
import type { Ledger } from "../../commons/ledger/index.ts";
import { ForgeError } from "../../kernel/errors.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import { type Change, Changing } from "./changing.ts";
import { Claims } from "./claims.ts";
import {
  assigning,
  emptyTicket,
  moved,
  replaced,
  requireClaimable,
  requireCompletable,
  started,
  updated,
} from "./decisions.ts";
import { editDocument } from "./edit-document.ts";
import { factColumns } from "./facts-columns.ts";
import { canonicalId, requireId } from "./ids.ts";
import { Importing } from "./import-tickets.ts";
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
} from "./model.ts";
import type {
  By,
  Claiming,
  HeldTickets,
  ImportedTicket,
  ImportOutcome,
  MovedTicket,
  OnExisting,
  WorkBase,
} from "./ports.ts";
import { type Asker, addQuestions, answerQuestions } from "./questions.ts";
import { readFacts } from "./reading/facts.ts";
import { summaryFrom, TicketReader } from "./rows.ts";
import { mayResume, requireGate, requireMove, type Status } from "./status.ts";
import { TicketStore } from "./store.ts";

export type LocalTicketsOptions = {
  database: Database<unknown>;
  ledger: Pick<Ledger, "commit" | "watch">;
  leases: Leases;
  /** Whose tickets they are, on a server. */
  team?: string;
  /** Shared by those who read the same database. */
  reader?: TicketReader;
  now?: () => number;
};

const mostRead = 10_000;
const usualPage = 50;
const usualHistory = 100;

/** Tickets in the project's own store, with all their rules. */
export class LocalTickets implements HeldTickets {
  readonly #store: TicketStore;
  /** Ids that were read by this process. */
  readonly #read = new Set<string>();
  readonly #reader: TicketReader;
  readonly #claims: Claims;
  readonly #changing: Changing;
  readonly #importing: Importing;
  readonly #ledger: Pick<Ledger, "commit" | "watch">;
  readonly #now: () => number;

  constructor({ database, ledger, leases, team = "", reader, now = Date.now }: LocalTicketsOptions) {
    this.#reader = reader ?? new TicketReader();
    this.#store = new TicketStore(database, team);
    this.#claims = new Claims(leases, team, now);
    this.#changing = new Changing(this.#store, ledger, this.#claims, now);
    this.#importing = new Importing(this.#store, this.#changing, this.#claims, now);
    this.#ledger = ledger;
    this.#now = now;
  }

  get(id: string): Promise<Ticket> {
    return this.#store.database.read(async (db) => {
      const proper = requireId(id);
      const joining = this.#claims.joined(proper);
      // What was read before is asked for only whether it is still the same.
      const standing = this.#read.has(proper) ? await this.#store.standing(db, proper, joining) : undefined;
      const known = standing && this.#reader.known(standing);
      if (known) return withClaim(known, this.#claims.in(standing));
      const row = await this.#store.whole(db, proper, joining);
      if (!row) return this.#getOther(db, id);
      if (this.#read.size >= mostRead) this.#read.clear();
      this.#read.add(proper);
      return withClaim(this.#reader.read(row), this.#claims.in(row));
    });
  }

  /** By its slug, or not at all. */
  async #getOther(db: Parameters<Changing["require"]>[0], id: string): Promise<Ticket> {
    const ticket = this.#reader.read(await this.#changing.require(db, id));
    return withClaim(ticket, (await this.#claims.on(db, [ticket.id])).get(ticket.id));
  }

  async list({ limit = usualPage, cursor, ...filter }: TicketFilter): Promise<TicketPage> {
    const before = cursor === undefined ? undefined : placeOf(cursor);
    return this.#store.database.read(async (db) => {
      const rows = await this.#store.page(db, { ...filter, before, limit: limit + 1 });
      const shown = rows.slice(0, limit);
      const claims = await this.#claims.on(
        db,
        shown.map(({ id }) => id),
      );
      const last = rows.length > limit ? shown.at(-1)?.seq : undefined;
      return {
        tickets: shown.map((row) => withClaim(summaryFrom(row), claims.get(row.id))),
        ...(last !== undefined && { nextCursor: String(last) }),
      };
    });
  }

  suggest(
    typed: string,
    limit: number,
    among?: readonly Status[],
  ): Promise<{ id: string; title: string; status: Status }[]> {
    const text = typed.trim();
    return this.#store.database.read(async (db) => {
      const byText = await this.#store.page(db, {
        before: undefined,
        limit,
        ...(text !== "" && { text }),
        ...(among && { status: [...among] }),
      });
      const byId = text === "" ? [] : await this.#store.withIdFrom(db, text.replace(/^t-/, "T-"), limit, among);
      const found = new Map([...byId, ...byText].map((row) => [row.id, summaryFrom(row)]));
      return [...found.values()].slice(0, limit).map(({ id, title, status }) => ({ id, title, status }));
    });
  }

  history(id: string, limit = usualHistory): Promise<HistoryEntry[]> {
    return this.#store.database.read(async (db) => {
      const { seq } = await this.#changing.require(db, id);
      return this.#store.history(db, seq, limit);
    });
  }

  create(by: By, draft: TicketDraft, { status = "DRAFT" }: { status?: Status | undefined } = {}): Promise<Ticket> {
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
        is_foreign: by.foreign ? 1 : 0,
      };
      const ticket = await this.#changing.add(tx, by, columns, document, { kind: "created", details: { status } });
      this.#changing.name(by, [id]);
      await this.#ledger.commit(tx, by.record);
      return ticket;
    });
  }

  update(by: By, id: string, changes: TicketChanges, expectedRevision?: number): Promise<Ticket> {
    return this.#changing.change(by, id, (ticket) => updated(ticket, changes), expectedRevision);
  }

  async move(by: By, id: string, status: Status): Promise<MovedTicket> {
    let from: Status = status;
    const ticket = await this.#changing.change(by, id, async (before, tx) => {
      from = before.status;
      requireMove(before.id, from, status, before.previousStatus);
      if (from === status) return undefined;
      if (status === "COMPLETE" || status === "ARCHIVED") await this.#claims.end(tx, before.id);
      return moved(before, status, by.principal);
    });
    return { ticket, from, moved: from !== status };
  }

  async claim(by: By, id: string, claiming: Claiming): Promise<Ticket & { claim: TicketClaim }> {
    let claim: TicketClaim | undefined;
    const ticket = await this.#changing.decideOn(by, id, by.expectedRevision, async (before, tx) => {
      requireClaimable(before);
      const taken = await this.#claims.take(tx, before.id, by.principal, claiming);
      claim = taken.claim;
      if (!taken.isNew) return undefined;
      const { columns, happenings } = assigning(before, by.principal);
      const { holder, until } = claim;
      return { columns, happenings: [{ kind: "claimed", details: { holder, until } }, ...happenings] };
    });
    if (!claim) throw new Error("a claim was neither given nor refused");
    return { ...ticket, claim };
  }

  release(by: By, id: string): Promise<Ticket> {
    return this.#changing.change(by, id, async (before, tx) => {
      const holder = await this.#claims.end(tx, before.id);
      return holder === undefined ? undefined : { happenings: [{ kind: "released", details: { holder } }] };
    });
  }

  start(by: By, id: string, base: WorkBase): Promise<Ticket> {
    return this.#changing.change(by, id, (ticket) => {
      // Once more, where nobody can come between.
      requireGate("execute", ticket.id, ticket.status, mayResume(ticket, by.principal.name));
      return started(ticket, by.principal, base);
    });
  }

  /** Several changes as one: what a request asks for at once. */
  change(by: By, id: string, decide: (ticket: Ticket, asker: Asker) => Change | undefined): Promise<Ticket> {
    return this.#changing.change(by, id, async (before, tx) => {
      const change = decide(before, this.#asker(by));
      const status = change?.columns?.status;
      if (status === "COMPLETE" || status === "ARCHIVED") await this.#claims.end(tx, before.id);
      return change;
    });
  }

  /** How many there are, archived ones too. */
  count(): Promise<number> {
    return this.#store.database.read((db) => this.#store.count(db));
  }

  /** Claims it for this process, for as long as it runs. */
  hold(id: string, principal: Principal): Promise<void> {
    return this.#claims.hold(requireId(id), principal);
  }

  addQuestions(by: By, id: string, questions: NewQuestion[]): Promise<Ticket> {
    return this.#changing.change(by, id, (ticket) => {
      const { document, added } = addQuestions(ticket, questions, this.#asker(by));
      if (added.length === 0) return undefined;
      return {
        document,
        happenings: [{ kind: "questions", details: { questions: added.map(({ id: name }) => name) } }],
      };
    });
  }

  answer(by: By, id: string, answers: Record<string, string>): Promise<Ticket> {
    return this.#changing.change(by, id, (ticket) => ({
      document: answerQuestions(ticket, answers, this.#asker(by)),
      happenings: [{ kind: "answers", details: { questions: Object.keys(answers) } }],
    }));
  }

  complete(by: By, id: string, record: ChangeRecord): Promise<Ticket> {
    return this.#changing.change(by, id, async (ticket, tx) => {
      requireCompletable(ticket);
      await this.#claims.end(tx, ticket.id);
      const submittedAt = new Date(this.#now()).toISOString();
      return {
        columns: { status: "COMPLETE" },
        document: { ...ticket.document, changeRecord: { ...record, status: "awaiting_review", submittedAt } },
        happenings: [{ kind: "completed", details: { from: ticket.status, to: "COMPLETE", ...record } }],
      };
    });
  }

  import(by: By, tickets: ImportedTicket[], onExisting: OnExisting): Promise<ImportOutcome[]> {
    return this.#store.database.transaction(async (tx) => {
      const outcomes: ImportOutcome[] = [];
      for (const ticket of tickets) outcomes.push(await this.#importing.bringIn(tx, by, ticket, onExisting));
      const changed = outcomes.filter(({ outcome }) => outcome === "added" || outcome === "replaced");
      this.#changing.name(
        by,
        changed.map(({ id }) => id),
      );
      if (changed.length > 0) await this.#ledger.commit(tx, by.record);
      return outcomes;
    });
  }

  replace(by: By, id: string, document: TicketDocument, expectedRevision: number): Promise<Ticket> {
    const { warnings: _, ...facts } = readFacts(document);
    return this.#changing.change(by, id, (ticket) => replaced(ticket, document, facts), expectedRevision);
  }

  watch(id: string | undefined, changed: () => void): () => void {
    const names = new Set(id === undefined ? [] : [`ticket:${canonicalId(id)}`]);
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

  #asker({ principal }: By) {
    return {
      by: principal.agent ? `${principal.name}/${principal.agent}` : principal.name,
      at: new Date(this.#now()).toISOString(),
    };
  }
}

function withClaim<T extends { claim?: TicketClaim }>(ticket: T, claim: TicketClaim | undefined): T {
  return claim ? { ...ticket, claim } : ticket;
}

function placeOf(cursor: string): number {
  const place = /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (Number.isSafeInteger(place)) return place;
  throw new ForgeError("VALIDATION_ERROR", "The cursor is not one that a list gave.", {
    suggestions: ["Give `nextCursor` of the page before, or none for the first page."],
  });
}
