import type { Claims } from "../../../commons/claims/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { requireId } from "../model/ids.ts";
import type { HistoryEntry, Ticket, TicketClaim, TicketFilter, TicketPage } from "../model/ticket.ts";
import type { Status } from "../model/status.ts";
import type { SeqCache } from "../store/seq-cache.ts";
import { toSummary, type TicketCache } from "../store/rows.ts";
import type { TicketStore } from "../store/ticket-store.ts";
import type { TicketWriter } from "./ticket-writer.ts";

const usualPage = 50;
const usualHistory = 100;

type Parts = {
  store: TicketStore;
  claims: Claims;
  reader: TicketCache;
  met: SeqCache;
  changing: Pick<TicketWriter, "require">;
};

/** What is asked of tickets without changing them. */
export class TicketQueries {
  readonly #store: TicketStore;
  readonly #claims: Claims;
  readonly #reader: TicketCache;
  readonly #met: SeqCache;
  readonly #changing: Pick<TicketWriter, "require">;

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
      const seq = this.#met.get(proper);
      const standing = seq === undefined ? undefined : await this.#store.findRevision(db, seq, joining);
      const known = standing && this.#reader.known(standing);
      if (known) return withClaim(known, this.#claims.in(standing));
      const row = await this.#store.findWithClaim(db, proper, joining);
      if (!row) return this.#getOther(db, id);
      this.#met.set(row);
      return withClaim(this.#reader.known(row) ?? this.#reader.read(row), this.#claims.in(row));
    });
  }

  /** By its slug, or not at all. */
  async #getOther(db: Parameters<TicketWriter["require"]>[0], id: string): Promise<Ticket> {
    const ticket = this.#reader.read(await this.#changing.require(db, id));
    return withClaim(ticket, (await this.#claims.on(db, [ticket.id])).get(ticket.id));
  }

  async list({ limit = usualPage, cursor, ...filter }: TicketFilter): Promise<TicketPage> {
    const before = cursor === undefined ? undefined : placeOf(cursor);
    return this.#store.database.read(async (db) => {
      const rows = await this.#store.findPage(db, { ...filter, before, limit: limit + 1 });
      const shown = rows.slice(0, limit);
      const claims = await this.#claims.on(
        db,
        shown.map(({ id }) => id),
      );
      const last = rows.length > limit ? shown.at(-1)?.seq : undefined;
      return {
        tickets: shown.map((row) => withClaim(toSummary(row), claims.get(row.id))),
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
      const byText = await this.#store.findPage(db, {
        before: undefined,
        limit,
        ...(text !== "" && { text }),
        ...(among && { status: [...among] }),
      });
      const byId = text === "" ? [] : await this.#store.findByIdPrefix(db, text.replace(/^t-/, "T-"), limit, among);
      const found = new Map([...byId, ...byText].map((row) => [row.id, toSummary(row)]));
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

function placeOf(cursor: string): number {
  const place = /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (Number.isSafeInteger(place)) return place;
  throw new ForgeError("VALIDATION_ERROR", "The cursor is not one that a list gave.", {
    next: ["Give `nextCursor` of the page before, or none for the first page."],
  });
}
