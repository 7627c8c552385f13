import { isDeepStrictEqual } from "node:util";
import type { Ledger } from "../../commons/ledger/index.ts";
import { closest } from "../../kernel/closest.ts";
import { limits } from "./bounds.ts";
import type { Claims } from "./claims.ts";
import { noTicket, tooLarge } from "./errors.ts";
import { searchedTexts } from "./facts-columns.ts";
import { requireId } from "./ids.ts";
import type { HistoryEntry, Ticket, TicketDocument } from "./model.ts";
import type { By } from "./ports.ts";
import { type NewTicketRow, type TicketRow, ticketFrom } from "./rows.ts";
import type { TicketStore, Tx } from "./store.ts";

const nearestAmong = 200;

export type Happening = Pick<HistoryEntry, "kind" | "details">;

/** What is to become of a ticket. */
export type Change = {
  columns?: Partial<NewTicketRow>;
  document?: TicketDocument;
  happenings: Happening[];
};

type Decide = (ticket: Ticket, tx: Tx) => Promise<Change | undefined> | Change | undefined;

/** The one way a ticket changes: row, history, search words and ledger entry in one transaction. */
export class Changing {
  readonly #store: TicketStore;
  readonly #ledger: Pick<Ledger, "commit">;
  readonly #claims: Claims;
  readonly #now: () => number;

  constructor(store: TicketStore, ledger: Pick<Ledger, "commit">, claims: Claims, now: () => number) {
    this.#store = store;
    this.#ledger = ledger;
    this.#claims = claims;
    this.#now = now;
  }

  /** `decide` says what is to change, or nothing. Refused where somebody else is on the ticket. */
  change(by: By, id: string, decide: Decide, expectedRevision = by.expectedRevision): Promise<Ticket> {
    return this.decideOn(by, id, expectedRevision, async (ticket, tx) => {
      await this.#claims.requireFree(tx, ticket.id, by.principal);
      return decide(ticket, tx);
    });
  }

  /** The same for what looks at claims itself. */
  decideOn(by: By, id: string, expectedRevision: number | undefined, decide: Decide): Promise<Ticket> {
    return this.#store.database.transaction(async (tx) => {
      const row = await this.require(tx, id);
      this.name(by, [row.id]);
      const ticket = ticketFrom(row);
      const change = await decide(ticket, tx);
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
    await this.#record(tx, by, made.seq, [happening]);
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
    const document = change.document && asJson(row.id, change.document);
    const now = Math.max(this.#now(), row.updated_at);
    const changes = {
      ...columns,
      ...(document !== undefined && document !== row.document && { document }),
      updated_at: now,
      updated_by: by.principal.name,
      ...(by.foreign && { is_foreign: 1 }),
    };
    const revision = await this.#store.update(tx, row, expectedRevision, changes);
    const ticket = ticketFrom({ ...row, ...changes, revision } as TicketRow);
    const texts = searchedTexts(ticket);
    if (!isDeepStrictEqual(texts, searchedTexts(before.ticket))) await this.#store.reindex(tx, row.seq, texts);
    await this.#record(tx, by, row.seq, happenings);
    return ticket;
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

  async #record(tx: Tx, { principal, record }: By, ticket: number, happenings: readonly Happening[]): Promise<void> {
    for (const { kind, details } of happenings) {
      await this.#store.addEvent(tx, {
        ticket,
        at: this.#now(),
        by: principal.name,
        agent: principal.agent ?? null,
        kind,
        details: JSON.stringify({ ...details, call: record.id }),
      });
    }
  }
}

function asJson(id: string, document: TicketDocument): string {
  const json = JSON.stringify(document);
  if (json.length > limits.ticket) throw tooLarge(id, json.length);
  return json;
}
