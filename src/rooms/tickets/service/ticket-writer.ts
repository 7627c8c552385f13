import type { Claims } from "../../../commons/claims/index.ts";
import type { CurrentLease } from "../../../commons/leases/index.ts";
import type { Ledger } from "../../../commons/ledger/index.ts";
import { visible } from "../../../kernel/text/visible.ts";
import { afterCommit } from "../../../platform/db/database.ts";
import { authorshipAfter } from "../model/authorship.ts";
import { ticketTooLarge } from "../model/errors.ts";
import { requireId } from "../model/ids.ts";
import { limits } from "../model/limits.ts";
import { afterEdit, editorOf, initialRecords } from "../model/records/after-edit.ts";
import type { Ticket, TicketDocument } from "../model/ticket.ts";
import { type HistoryEvent, isDone, type Transition } from "../model/transitions.ts";
import { readContent } from "../reading/read-content.ts";
import { type NewTicketRow, type TicketRow, toTicket } from "../store/rows.ts";
import { searchText } from "../store/search-text.ts";
import type { KnownTicket, TicketCache } from "../store/ticket-cache.ts";
import type { TicketStore, Tx } from "../store/ticket-store.ts";
import { requireRow } from "./ticket-queries.ts";
import type { Author } from "./tickets.ts";

/** What a ticket becomes; undefined for no change. Depends on the ticket alone: it may be asked about an old revision first. */
export type Decide = (ticket: Ticket) => Transition | undefined;

type DecideInTransaction = (
  ticket: Ticket,
  tx: Tx,
  lease: CurrentLease | undefined,
) => Promise<Transition | undefined> | Transition | undefined;

type WriterOptions = {
  store: TicketStore;
  ledger: Pick<Ledger, "commit">;
  claims: Claims;
  cache: TicketCache;
  now: () => number;
};

/** The only way a ticket changes: row, history, search words and ledger entry in one transaction. */
export class TicketWriter {
  readonly #store: TicketStore;
  readonly #ledger: Pick<Ledger, "commit">;
  readonly #claims: Claims;
  readonly #cache: TicketCache;
  readonly #now: () => number;

  constructor({ store, ledger, claims, cache, now }: WriterOptions) {
    this.#store = store;
    this.#ledger = ledger;
    this.#claims = claims;
    this.#cache = cache;
    this.#now = now;
  }

  /** Refused if someone else has claimed the ticket. Completing or archiving it ends its claim. */
  change(by: Author, given: string, decide: Decide, expectedRevision = by.expectedRevision): Promise<Ticket> {
    return this.#store.database.transaction(async (tx) => {
      const id = requireId(given);
      const changed = await this.#changeLastSeen(tx, by, id, decide, expectedRevision);
      if (changed) return changed;
      return this.#change(tx, by, id, expectedRevision, async (ticket, _tx, lease) => {
        this.#claims.refuseOthers(ticket.id, lease, by.principal);
        const transition = decide(ticket);
        if (lease && isDone(transition?.columns?.status)) await this.#claims.end(tx, ticket.id);
        return transition;
      });
    });
  }

  /** The same for a change that handles claims itself. */
  changeInTransaction(
    by: Author,
    id: string,
    expectedRevision: number | undefined,
    decide: DecideInTransaction,
  ): Promise<Ticket> {
    return this.#store.database.transaction((tx) => this.#change(tx, by, requireId(id), expectedRevision, decide));
  }

  /**
   * Changes the ticket in one statement if it is as it was last seen and unclaimed. Undefined if it is not, or if there is anything else
   * to look at: then nothing is done. On PostgreSQL, to read the ticket first takes a quarter of a change's time.
   */
  async #changeLastSeen(
    tx: Tx,
    by: Author,
    id: string,
    decide: Decide,
    expectedRevision: number | undefined,
  ): Promise<Ticket | undefined> {
    const before = this.#cache.lastSeen(this.#store.team, id);
    if (!before || (expectedRevision ?? before.revision) !== before.revision) return undefined;
    const prepared = this.#prepare(before, decide, by);
    if (!prepared) return undefined;
    const { columns, transition, ...after } = prepared;
    const { name: claim } = this.#claims.joinColumns(id);
    if (!(await this.#store.updateUnclaimed(tx, before.row, columns, claim))) return undefined;
    this.nameTickets(by, [id]);
    this.#writeRest(tx, by, before, after, transition);
    await this.#ledger.commit(tx, by.record);
    return after.ticket;
  }

  /** What the ticket becomes. Undefined for no change, and for one that is refused: an error about an old ticket may be wrong. */
  #prepare(before: KnownTicket, decide: Decide, by: Author) {
    try {
      const transition = decide(before.ticket);
      return transition && { transition, ...this.#apply(before, transition, by, before.row.revision) };
    } catch {
      return undefined;
    }
  }

  async #change(
    tx: Tx,
    by: Author,
    id: string,
    expectedRevision: number | undefined,
    decide: DecideInTransaction,
  ): Promise<Ticket> {
    const { row, lease } = await this.#findWithClaim(tx, id);
    this.nameTickets(by, [row.id]);
    const ticket = this.#cache.get(row) ?? toTicket(row);
    const transition = await decide(ticket, tx, lease);
    if (!transition) {
      if (expectedRevision !== undefined) await this.#store.requireRevision(tx, row, expectedRevision);
      return ticket;
    }
    const changed = await this.write(tx, by, { row, ticket }, transition, expectedRevision);
    await this.#ledger.commit(tx, by.record);
    return changed;
  }

  /** Adds a ticket. The caller commits the ledger entry, after the last of several. */
  async add(
    tx: Tx,
    by: Author,
    row: Omit<NewTicketRow, "team" | "document">,
    document: TicketDocument,
    event: HistoryEvent,
  ): Promise<Ticket> {
    const content = readContent(document);
    const records = initialRecords(content.criteria, editorOf(by.principal, this.#now()));
    const added = await this.#store.insert(tx, {
      ...row,
      ...listColumns(content),
      document: stringify(row.id, document),
      ...(records && { records: stringify(row.id, records) }),
    });
    const ticket = toTicket(added);
    this.#store.index(tx, added.seq, searchText(ticket));
    this.#addHistory(tx, by, added.seq, [event]);
    return ticket;
  }

  /** `before` is the ticket as the store has it. The caller commits the ledger entry. */
  async write(
    tx: Tx,
    by: Author,
    before: KnownTicket,
    transition: Transition,
    expectedRevision = before.row.revision,
  ): Promise<Ticket> {
    const { columns, ...after } = this.#apply(before, transition, by, expectedRevision);
    await this.#store.update(tx, before.row, { expected: expectedRevision, columns });
    this.#writeRest(tx, by, before, after, transition);
    return after.ticket;
  }

  #apply({ row, ticket: before }: KnownTicket, transition: Transition, by: Author, expectedRevision: number) {
    const { document: next } = transition;
    const document = next && next !== before.document ? stringify(row.id, next) : undefined;
    const { records, unproven } = afterEdit(before, transition, editorOf(by.principal, this.#now()));
    const changes = {
      ...transition.columns,
      ...(document !== undefined && document !== row.document && { document, ...listColumns(readContent(next ?? {})) }),
      ...(records && records !== before.records && { records: stringify(row.id, records) }),
      ...(unproven && { unproven: 1 }),
    };
    const columns = {
      ...changes,
      ...authorshipAfter(row, changes, by),
      updated_at: Math.max(this.#now(), row.updated_at),
      updated_by: by.principal.name,
    };
    const written = { ...row, ...columns, seq: row.seq, revision: expectedRevision + 1 };
    const isSameDocument = written.document === row.document;
    const ticket = Object.freeze(toTicket(written, isSameDocument ? before.document : undefined));
    return { columns, row: written, ticket };
  }

  /** Search words and history, and after the commit the cache: a ticket that was changed is likely to be read next. */
  #writeRest(tx: Tx, by: Author, before: KnownTicket, after: KnownTicket, { events }: Transition): void {
    const { seq } = after.row;
    const words = searchText(after.ticket);
    if (words !== searchText(before.ticket)) this.#store.index(tx, seq, words);
    this.#addHistory(tx, by, seq, events);
    afterCommit(tx, () => this.#cache.set(after.row, after.ticket));
  }

  /** By id the claim comes with the ticket; by slug it is read after it. */
  async #findWithClaim(tx: Tx, id: string): Promise<{ row: TicketRow; lease: CurrentLease | undefined }> {
    const found = await this.#store.findWithClaim(tx, id, this.#claims.joinColumns(id));
    if (found) {
      const { lease: _, ...row } = found;
      return { row, lease: this.#claims.leaseIn(found) };
    }
    const row = await requireRow(this.#store, tx, id);
    return { row, lease: await this.#claims.leaseOn(tx, row.id) };
  }

  /** The ledger entry names tickets by their ids, whatever the caller called them by. */
  nameTickets({ record }: Author, ids: readonly string[]): void {
    const others = record.about.filter((about) => !about.startsWith("ticket:"));
    record.about = [...ids.map((id) => `ticket:${id}`), ...others];
  }

  #addHistory(tx: Tx, { principal, record }: Author, ticket: number, events: readonly HistoryEvent[]): void {
    const common = {
      ticket,
      at: this.#now(),
      // Written together with other tickets' events, which must not fail because of a name that PostgreSQL cannot store.
      by: visible(principal.name),
      agent: principal.agent === undefined ? null : visible(principal.agent),
    };
    this.#store.addHistory(
      tx,
      events.map(({ kind, details }) => ({
        ...common,
        kind,
        details: JSON.stringify({ ...details, call: record.id }),
      })),
    );
  }
}

/** What lists and queries need of the document, in columns of its own. */
function listColumns({ labels, dependsOn }: Pick<Ticket, "labels" | "dependsOn">) {
  const column = (list: readonly string[]) => (list.length === 0 ? null : JSON.stringify(list));
  return { labels: column(labels), depends_on: column(dependsOn) };
}

function stringify(id: string, document: TicketDocument): string {
  const json = JSON.stringify(document);
  if (json.length > limits.ticket) throw ticketTooLarge(id, json.length);
  return json;
}
