import type { Claims } from "../../../commons/claims/index.ts";
import type { CurrentLease } from "../../../commons/leases/index.ts";
import type { Ledger } from "../../../commons/ledger/index.ts";
import { closest } from "../../../kernel/closest.ts";
import { visible } from "../../../kernel/visible.ts";
import { afterCommit } from "../../../platform/db/database.ts";
import { authorshipAfter } from "../model/authorship.ts";
import { limits } from "../model/limits.ts";
import { ticketNotFound, ticketTooLarge } from "../model/errors.ts";
import { requireId } from "../model/ids.ts";
import type { HistoryEntry, Ticket, TicketDocument } from "../model/ticket.ts";
import type { SeqCache } from "../store/seq-cache.ts";
import { type KnownTicket, type NewTicketRow, type TicketCache, type TicketRow, toTicket } from "../store/rows.ts";
import { searchText } from "../store/search-text.ts";
import type { TicketStore, Tx } from "../store/ticket-store.ts";
import type { Author } from "./tickets.ts";

const nearestAmong = 200;

export type HistoryEvent = Pick<HistoryEntry, "kind" | "details">;

/** What is to become of a ticket. */
export type Transition = {
  columns?: Partial<NewTicketRow>;
  document?: TicketDocument;
  events: HistoryEvent[];
};

/** What is to become of a ticket, or nothing. Of nothing but the ticket: it may be asked twice. */
export type Decide = (ticket: Ticket) => Transition | undefined;

type DecideInTransaction = (
  ticket: Ticket,
  tx: Tx,
  lease: CurrentLease | undefined,
) => Promise<Transition | undefined> | Transition | undefined;

type Parts = {
  store: TicketStore;
  ledger: Pick<Ledger, "commit">;
  claims: Claims;
  reader: TicketCache;
  met: SeqCache;
  now: () => number;
};

/** The one way a ticket changes: row, history, search words and ledger entry in one transaction. */
export class TicketWriter {
  readonly #store: TicketStore;
  readonly #ledger: Pick<Ledger, "commit">;
  readonly #claims: Claims;
  readonly #reader: TicketCache;
  readonly #met: SeqCache;
  readonly #now: () => number;

  constructor({ store, ledger, claims, reader, met, now }: Parts) {
    this.#store = store;
    this.#ledger = ledger;
    this.#claims = claims;
    this.#reader = reader;
    this.#met = met;
    this.#now = now;
  }

  /** Refused where somebody else is on the ticket. One that is done with is claimed by nobody. */
  change(by: Author, id: string, decide: Decide, expectedRevision = by.expectedRevision): Promise<Ticket> {
    return this.#store.database.transaction(async (tx) => {
      const proper = requireId(id);
      const quick = await this.#changeAsLastSeen(tx, by, proper, decide, expectedRevision);
      if (quick) return quick;
      return this.#changeAsItIs(tx, by, proper, expectedRevision, async (ticket, _, lease) => {
        this.#claims.refuseOthers(ticket.id, lease, by.principal);
        const change = decide(ticket);
        if (lease && isDone(change?.columns?.status)) await this.#claims.end(tx, ticket.id);
        return change;
      });
    });
  }

  /** The same for what looks at claims itself. */
  decideOn(by: Author, id: string, expectedRevision: number | undefined, decide: DecideInTransaction): Promise<Ticket> {
    return this.#store.database.transaction((tx) =>
      this.#changeAsItIs(tx, by, requireId(id), expectedRevision, decide),
    );
  }

  /**
   * In one step, where the ticket is still as it was last seen and nobody is on it; undefined where it cannot be, and nothing
   * is done. What is decided of an old ticket counts for nothing, refusals neither.
   */
  async #changeAsLastSeen(
    tx: Tx,
    by: Author,
    id: string,
    decide: Decide,
    expectedRevision: number | undefined,
  ): Promise<Ticket | undefined> {
    const seq = this.#met.get(id);
    const before = seq === undefined ? undefined : this.#reader.lastSeen(seq);
    if (!before || (expectedRevision !== undefined && expectedRevision !== before.row.revision)) return undefined;
    let change: Transition | undefined;
    try {
      change = decide(before.ticket);
    } catch {
      return undefined;
    }
    if (!change) return undefined;
    const { columns, row, ticket } = this.#next(before, change, by, before.row.revision);
    if (!(await this.#store.updateUnclaimed(tx, before.row, columns, this.#claims.joined(id).name))) return undefined;
    this.name(by, [row.id]);
    this.#finish(tx, by, before, { row, ticket }, change);
    await this.#ledger.commit(tx, by.record);
    return ticket;
  }

  async #changeAsItIs(
    tx: Tx,
    by: Author,
    id: string,
    expectedRevision: number | undefined,
    decide: DecideInTransaction,
  ): Promise<Ticket> {
    const { row, lease } = await this.#withClaim(tx, id);
    this.name(by, [row.id]);
    const ticket = this.#reader.known(row) ?? toTicket(row);
    const change = await decide(ticket, tx, lease);
    if (!change) {
      if (expectedRevision !== undefined) await this.#store.requireRevision(tx, row, expectedRevision);
      return ticket;
    }
    const made = await this.write(tx, by, { row, ticket }, change, expectedRevision);
    await this.#ledger.commit(tx, by.record);
    return made;
  }

  /** Adds a ticket. The ledger entry is the caller's to commit, after the last of several. */
  async add(
    tx: Tx,
    by: Author,
    row: Omit<NewTicketRow, "team" | "document">,
    document: TicketDocument,
    happening: HistoryEvent,
  ) {
    const made = await this.#store.insert(tx, { ...row, document: asJson(row.id, document) });
    const ticket = toTicket(made);
    this.#store.index(tx, made.seq, searchText(ticket));
    this.#remember(tx, by, made.seq, [happening]);
    return ticket;
  }

  /** `before` is the ticket as it is in the store now. The ledger entry is the caller's to commit. */
  async write(
    tx: Tx,
    by: Author,
    before: KnownTicket,
    change: Transition,
    expectedRevision = before.row.revision,
  ): Promise<Ticket> {
    const { columns, ...after } = this.#next(before, change, by, expectedRevision);
    await this.#store.update(tx, before.row, { expected: expectedRevision, columns });
    this.#finish(tx, by, before, after, change);
    return after.ticket;
  }

  /** What a ticket becomes. */
  #next({ row, ticket: before }: KnownTicket, change: Transition, by: Author, expectedRevision: number) {
    const document =
      change.document && change.document !== before.document ? asJson(row.id, change.document) : undefined;
    const said = { ...change.columns, ...(document !== undefined && document !== row.document && { document }) };
    const columns = {
      ...said,
      ...authorshipAfter(row, said, by),
      updated_at: Math.max(this.#now(), row.updated_at),
      updated_by: by.principal.name,
    };
    const written = { ...row, ...columns, seq: row.seq, revision: expectedRevision + 1 };
    const isSameDocument = written.document === row.document;
    const ticket = Object.freeze(toTicket(written, isSameDocument ? before.document : undefined));
    return { columns, row: written, ticket };
  }

  #finish(tx: Tx, by: Author, before: KnownTicket, after: KnownTicket, { events: happenings }: Transition): void {
    const { seq } = after.row;
    const words = searchText(after.ticket);
    if (words !== searchText(before.ticket)) this.#store.index(tx, seq, words);
    this.#remember(tx, by, seq, happenings);
    afterCommit(tx, () => {
      // What was changed is read and changed next.
      this.#reader.keep(after.row, after.ticket);
      this.#met.set(after.row);
    });
  }

  /** By its id it comes with its claim. */
  async #withClaim(tx: Tx, id: string): Promise<{ row: TicketRow; lease: CurrentLease | undefined }> {
    const found = await this.#store.findWithClaim(tx, id, this.#claims.joined(id));
    if (found) {
      const { lease: _, ...row } = found;
      return { row, lease: this.#claims.leaseIn(found) };
    }
    const row = await this.require(tx, id);
    return { row, lease: await this.#claims.leaseOn(tx, row.id) };
  }

  async require(db: Parameters<TicketStore["find"]>[0], given: string): Promise<TicketRow> {
    const id = requireId(given);
    const row = await this.#store.find(db, id);
    if (row) return row;
    const latest = await this.#store.findPage(db, { before: undefined, limit: nearestAmong });
    throw ticketNotFound(
      id,
      closest(
        id,
        latest.map((known) => known.id),
      ).slice(0, 3),
    );
  }

  /** The ledger's entry is about the tickets by their proper ids, whatever they were called by. */
  name({ record }: Author, ids: readonly string[]): void {
    const others = record.about.filter((about) => !about.startsWith("ticket:"));
    record.about = [...ids.map((id) => `ticket:${id}`), ...others];
  }

  #remember(tx: Tx, { principal, record }: Author, ticket: number, happenings: readonly HistoryEvent[]): void {
    const whose = {
      ticket,
      at: this.#now(),
      // Written together with others' events, which must not fail of a name that PostgreSQL has no text for.
      by: visible(principal.name),
      agent: principal.agent === undefined ? null : visible(principal.agent),
    };
    const told = (details: HistoryEvent["details"]) => JSON.stringify({ ...details, call: record.id });
    this.#store.addHistory(
      tx,
      happenings.map(({ kind, details }) => ({ ...whose, kind, details: told(details) })),
    );
  }
}

export function isDone(status: string | undefined): boolean {
  return status === "COMPLETE" || status === "ARCHIVED";
}

function asJson(id: string, document: TicketDocument): string {
  const json = JSON.stringify(document);
  if (json.length > limits.ticket) throw ticketTooLarge(id, json.length);
  return json;
}
