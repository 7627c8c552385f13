import type { Claims } from "../../../commons/claims/index.ts";
import { pageOf, parseCursor } from "../../../kernel/page.ts";
import { requireId } from "../model/ids.ts";
import type { HistoryEntry, Ticket, TicketClaim, TicketFilter, TicketPage } from "../model/model.ts";
import type { Status } from "../model/status.ts";
import type { MetTickets } from "../store/met.ts";
import { summaryFrom, type TicketReader } from "../store/rows.ts";
import type { TicketStore } from "../store/store.ts";
import type { Changing } from "./changing.ts";

const usualPage = 50;
const usualHistory = 100;

type Parts = {
  store: TicketStore;
  claims: Claims;
  reader: TicketReader;
  met: MetTickets;
  changing: Pick<Changing, "require">;
};

/** What is asked of tickets without changing them. */
export class Looking {
  readonly #store: TicketStore;
  readonly #claims: Claims;
  readonly #reader: TicketReader;
  readonly #met: MetTickets;
  readonly #changing: Pick<Changing, "require">;

  constructor({ store, claims, reader, met, changing }: Parts) {
    this.#store = store;
    this.#claims = claims;
    this.#reader = reader;
    this.#met = met;
    this.#changing = changing;
  }

  get(id: string): Promise<Ticket> {
    return this.#store.database.read(async (db) => {
      const proper = requireId(id);
      const joining = this.#claims.joined(proper);
      // What was read before is asked for only whether it is still the same.
      const seq = this.#met.seqOf(proper);
      const standing = seq === undefined ? undefined : await this.#store.standing(db, seq, joining);
      const known = standing && this.#reader.known(standing);
      if (known) return withClaim(known, this.#claims.in(standing));
      const row = await this.#store.whole(db, proper, joining);
      if (!row) return this.#getOther(db, id);
      this.#met.meet(row);
      return withClaim(this.#reader.known(row) ?? this.#reader.read(row), this.#claims.in(row));
    });
  }

  /** By its slug, or not at all. */
  async #getOther(db: Parameters<Changing["require"]>[0], id: string): Promise<Ticket> {
    const ticket = this.#reader.read(await this.#changing.require(db, id));
    return withClaim(ticket, (await this.#claims.on(db, [ticket.id])).get(ticket.id));
  }

  async list({ limit = usualPage, cursor, ...filter }: TicketFilter): Promise<TicketPage> {
    const before = parseCursor(cursor);
    return this.#store.database.read(async (db) => {
      const rows = await this.#store.page(db, { ...filter, before, limit: limit + 1 });
      const { items: shown, ...next } = pageOf(rows, limit, ({ seq }) => seq);
      const claims = await this.#claims.on(
        db,
        shown.map(({ id }) => id),
      );
      return {
        tickets: shown.map((row) => withClaim(summaryFrom(row), claims.get(row.id))),
        ...next,
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

  count(): Promise<number> {
    return this.#store.database.read((db) => this.#store.count(db));
  }
}

function withClaim<T extends { claim?: TicketClaim }>(ticket: T, claim: TicketClaim | undefined): T {
  return claim ? { ...ticket, claim } : ticket;
}
