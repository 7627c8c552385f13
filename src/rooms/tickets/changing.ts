import type { Claims } from "../../commons/claims/index.ts";
import type { CurrentLease } from "../../commons/leases/index.ts";
import type { Ledger } from "../../commons/ledger/index.ts";
import { closest } from "../../kernel/closest.ts";
import { afterCommit } from "../../platform/db/database.ts";
import { authorshipAfter } from "./authorship.ts";
import { limits } from "./bounds.ts";
import type { History } from "./change-statements.ts";
import { noTicket, tooLarge } from "./errors.ts";
import { searchedTexts } from "./facts-columns.ts";
import { requireId } from "./ids.ts";
import type { HistoryEntry, Ticket, TicketDocument } from "./model.ts";
import type { By } from "./ports.ts";
import { type NewTicketRow, type TicketReader, type TicketRow, ticketFrom } from "./rows.ts";
import type { TicketStore, Tx } from "./store.ts";

const nearestAmong = 200;

export type Happening = Pick<HistoryEntry, "kind" | "details">;

/** What is to become of a ticket. */
export type Change = {
  columns?: Partial<NewTicketRow>;
  document?: TicketDocument;
  happenings: Happening[];
};

type Decide = (
  ticket: Ticket,
  tx: Tx,
  lease: CurrentLease | undefined,
) => Promise<Change | undefined> | Change | undefined;

type Parts = {
  store: TicketStore;
  ledger: Pick<Ledger, "commit">;
  claims: Claims;
  reader: TicketReader;
  now: () => number;
};

/** The one way a ticket changes: row, history, search words and ledger entry in one transaction. */
export class Changing {
  readonly #store: TicketStore;
  readonly #ledger: Pick<Ledger, "commit">;
  readonly #claims: Claims;
  readonly #reader: TicketReader;
  readonly #now: () => number;

  constructor({ store, ledger, claims, reader, now }: Parts) {
    this.#store = store;
    this.#ledger = ledger;
    this.#claims = claims;
    this.#reader = reader;
    this.#now = now;
  }

  /** `decide` says what is to change, or nothing. Refused where somebody else is on the ticket. */
  change(by: By, id: string, decide: Decide, expectedRevision = by.expectedRevision): Promise<Ticket> {
    return this.decideOn(by, id, expectedRevision, (ticket, tx, lease) => {
      this.#claims.refuseOthers(ticket.id, lease, by.principal);
      return decide(ticket, tx, lease);
    });
  }

  /** The same for what looks at claims itself. */
  decideOn(by: By, id: string, expectedRevision: number | undefined, decide: Decide): Promise<Ticket> {
    return this.#store.database.transaction(async (tx) => {
      const { row, lease } = await this.#withClaim(tx, id);
      this.name(by, [row.id]);
      const ticket = this.#reader.known(row) ?? ticketFrom(row);
      const change = await decide(ticket, tx, lease);
      if (!change) {
        if (expectedRevision !== undefined) await this.#store.requireRevision(tx, row, expectedRevision);
        return ticket;
      }
      const made = await this.write(tx, by, { row, ticket }, change, expectedRevision);
      await this.#ledger.commit(tx, by.record);
      return made;
    });
  }

  /** Adds a ticket. The ledger entry is the caller's to commit, after the last of several. */
  async add(
    tx: Tx,
    by: By,
    row: Omit<NewTicketRow, "team" | "document">,
    document: TicketDocument,
    happening: Happening,
  ) {
    const made = await this.#store.insert(tx, { ...row, document: asJson(row.id, document) });
    const ticket = ticketFrom(made);
    await this.#store.index(tx, made.seq, searchedTexts(ticket));
    await this.#store.addHistory(tx, made.seq, this.#history(by, [happening]));
    return ticket;
  }

  /** `before` is the ticket as it is in the store now. */
  async write(
    tx: Tx,
    by: By,
    before: { row: TicketRow; ticket: Ticket },
    change: Change,
    expectedRevision = before.row.revision,
  ): Promise<Ticket> {
    const { row } = before;
    const { columns = {}, happenings } = change;
    const document =
      change.document && change.document !== before.ticket.document ? asJson(row.id, change.document) : undefined;
    const now = Math.max(this.#now(), row.updated_at);
    const said = { ...columns, ...(document !== undefined && document !== row.document && { document }) };
    const changes = {
      ...said,
      ...authorshipAfter(row, said, by),
      updated_at: now,
      updated_by: by.principal.name,
    };
    const written = { ...row, ...changes, seq: row.seq, revision: expectedRevision + 1 };
    const isSameDocument = written.document === row.document;
    const ticket = Object.freeze(ticketFrom(written, isSameDocument ? before.ticket.document : undefined));
    const texts = searchedTexts(ticket);
    const areSame = texts.join("\0") === searchedTexts(before.ticket).join("\0");
    const rowChange = { expected: expectedRevision, columns: changes, history: this.#history(by, happenings) };
    await this.#store.change(tx, row, rowChange, areSame ? undefined : texts);
    // What was changed is read next.
    afterCommit(tx, () => this.#reader.keep(written, ticket));
    return ticket;
  }

  /** By its id it comes with its claim. */
  async #withClaim(tx: Tx, given: string): Promise<{ row: TicketRow; lease: CurrentLease | undefined }> {
    const id = requireId(given);
    const found = await this.#store.whole(tx, id, this.#claims.joined(id));
    if (found) return { row: found, lease: this.#claims.leaseIn(found) };
    const row = await this.require(tx, id);
    return { row, lease: await this.#claims.leaseOn(tx, row.id) };
  }

  async require(db: Parameters<TicketStore["find"]>[0], given: string): Promise<TicketRow> {
    const id = requireId(given);
    const row = await this.#store.find(db, id);
    if (row) return row;
    const latest = await this.#store.page(db, { before: undefined, limit: nearestAmong });
    throw noTicket(
      id,
      closest(
        id,
        latest.map((known) => known.id),
      ).slice(0, 3),
    );
  }

  /** The ledger's entry is about the tickets by their proper ids, whatever they were called by. */
  name({ record }: By, ids: readonly string[]): void {
    const others = record.about.filter((about) => !about.startsWith("ticket:"));
    record.about = [...ids.map((id) => `ticket:${id}`), ...others];
  }

  #history({ principal, record }: By, happenings: readonly Happening[]): History {
    return {
      at: this.#now(),
      by: principal.name,
      agent: principal.agent ?? null,
      happenings: happenings.map(({ kind, details }) => ({
        kind,
        details: JSON.stringify({ ...details, call: record.id }),
      })),
    };
  }
}

function asJson(id: string, document: TicketDocument): string {
  const json = JSON.stringify(document);
  if (json.length > limits.ticket) throw tooLarge(id, json.length);
  return json;
}
