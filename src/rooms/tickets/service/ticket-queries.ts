import { setImmediate as nextTurn } from "node:timers/promises";
import type { Claims } from "../../../commons/claims/index.ts";
import { invalidCursor, pageOf } from "../../../kernel/page.ts";
import { findClosest } from "../../../kernel/text/closest.ts";
import { blockedByTickets, ticketNotFound } from "../model/errors.ts";
import { requireId } from "../model/ids.ts";
import { idPattern, priorities } from "../model/limits.ts";
import type { Status } from "../model/status.ts";
import type { HistoryEntry, Ticket, TicketClaim, TicketPage, TicketSummary } from "../model/ticket.ts";
import type { TicketFilter } from "../model/ticket-fields.ts";
import { isDone } from "../model/transitions.ts";
import { type SummaryRow, type TicketRow, textsIn, toListed, toSummary } from "../store/rows.ts";
import type { TicketCache } from "../store/ticket-cache.ts";
import type { PageQuery, StartableRow, TicketStore } from "../store/ticket-store.ts";
import type { Suggestion } from "./tickets.ts";

const defaultPageSize = 50;
const defaultHistory = 100;
/** How many of the latest ids a mistyped one is compared with. */
const maxCompared = 200;
/** Labels and dependencies are behind the text, which SQLite reads to reach them: others are answered between so many tickets. */
const readAtOnce = 60;

type Db = Parameters<TicketStore["find"]>[0];

export type QueryOptions = { store: TicketStore; claims: Claims; cache: TicketCache };

/** Everything that reads tickets without changing them. */
export class TicketQueries {
  readonly #store: TicketStore;
  readonly #claims: Claims;
  readonly #cache: TicketCache;

  constructor({ store, claims, cache }: QueryOptions) {
    this.#store = store;
    this.#claims = claims;
    this.#cache = cache;
  }

  get(given: string): Promise<Ticket> {
    return this.#store.database.read(async (db) => {
      const id = requireId(given);
      const claim = this.#claims.joinColumns(id);
      // Of a ticket that was read before, only the revision is read again.
      const known = this.#cache.lastSeen(this.#store.team, id);
      const stored = known && (await this.#store.findRevision(db, known.seq, claim));
      if (known && stored?.revision === known.revision)
        return this.#withBlockers(db, withClaim(known.ticket, this.#claims.in(stored)));
      const row = await this.#store.findWithClaim(db, id, claim);
      if (!row) return this.#getBySlug(db, given);
      return this.#withBlockers(db, withClaim(this.#cache.read(row), this.#claims.in(row)));
    });
  }

  async #getBySlug(db: Db, given: string): Promise<Ticket> {
    const ticket = this.#cache.read(await requireRow(this.#store, db, given));
    return this.#withBlockers(db, withClaim(ticket, (await this.#claims.on(db, [ticket.id])).get(ticket.id)));
  }

  /** With the tickets that have to be done before it, if there are any left. */
  async #withBlockers(db: Db, ticket: Ticket): Promise<Ticket> {
    if (ticket.dependsOn.length === 0) return ticket;
    const blockedBy = openAmong(ticket.dependsOn, await this.#store.findStatuses(db, ticket.dependsOn));
    return blockedBy.length === 0 ? ticket : { ...ticket, blockedBy };
  }

  next(limit: number): Promise<TicketSummary[]> {
    return this.#store.database.read(async (db) => {
      const found: TicketSummary[] = [];
      for (const priority of [...priorities.toReversed(), null]) {
        for (let after = 0; found.length < limit; ) {
          const rows = await this.#store.findStartable(db, priority, after, readAtOnce);
          found.push(...(await this.#findUnblocked(db, rows)));
          after = rows.at(-1)?.seq ?? 0;
          if (rows.length < readAtOnce) break;
          // All tickets may wait for others: other requests are answered in between.
          await nextTurn();
        }
      }
      return found.slice(0, limit);
    });
  }

  async #findUnblocked(db: Db, rows: readonly StartableRow[]): Promise<TicketSummary[]> {
    const needed = new Map(rows.map(({ id, depends_on }) => [id, textsIn(depends_on)]));
    const statuses = await this.#store.findStatuses(db, [...new Set([...needed.values()].flat())]);
    const free = rows.filter(({ id }) => openAmong(needed.get(id) ?? [], statuses).length === 0);
    const claims = await this.#claims.on(
      db,
      free.map(({ id }) => id),
    );
    return free.filter(({ id }) => !claims.has(id)).map(toListed);
  }

  /** Throws if other tickets have to be done first. */
  async requireUnblocked(id: string): Promise<void> {
    requireUnblocked(await this.get(id));
  }

  async list({ limit = defaultPageSize, cursor, ...filter }: TicketFilter): Promise<TicketPage> {
    return this.#store.database.read(async (db) => {
      const before = cursor === undefined ? undefined : await this.#findPlace(db, cursor);
      const rows = await this.#findRows(db, { ...filter, before, limit: limit + 1 });
      const { items: shown, ...next } = pageOf(rows, limit, ({ id }) => id);
      const claims = await this.#claims.on(
        db,
        shown.map(({ id }) => id),
      );
      return {
        tickets: shown.map((row) => withClaim(toListed(row), claims.get(row.id))),
        ...next,
      };
    });
  }

  async #findRows(db: Db, query: PageQuery): Promise<SummaryRow[]> {
    // What is found by its words would be looked for again with each part of the page.
    if (query.label === undefined)
      return query.text === undefined ? this.#findInParts(db, query) : this.#store.findPage(db, query);
    const found: SummaryRow[] = [];
    let { before } = query;
    do {
      const from = await this.#store.findSeqBefore(db, before, readAtOnce);
      found.push(...(await this.#store.findPage(db, { ...query, before, from, limit: query.limit - found.length })));
      before = from;
      await nextTurn();
    } while (before !== undefined && found.length < query.limit);
    return found;
  }

  async #findInParts(db: Db, query: PageQuery): Promise<SummaryRow[]> {
    const found: SummaryRow[] = [];
    for (let { before } = query; ; before = found.at(-1)?.seq) {
      const limit = Math.min(readAtOnce, query.limit - found.length);
      const rows = await this.#store.findPage(db, { ...query, before, limit });
      found.push(...rows);
      if (rows.length < limit || found.length === query.limit) return found;
      await nextTurn();
    }
  }

  /** A cursor is the id of the last ticket that was shown: a place in the table would tell how many tickets all teams have. */
  async #findPlace(db: Db, cursor: string): Promise<number> {
    // PostgreSQL does not take every text.
    const row = idPattern.test(cursor) ? await this.#store.find(db, cursor) : undefined;
    if (!row) throw invalidCursor();
    return row.seq;
  }

  suggest(typed: string, limit: number, among?: readonly Status[]): Promise<Suggestion[]> {
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
      return [...found.values()].slice(0, limit);
    });
  }

  history(id: string, limit = defaultHistory): Promise<HistoryEntry[]> {
    return this.#store.database.read(async (db) => {
      const { seq } = await requireRow(this.#store, db, id);
      return this.#store.history(db, seq, limit);
    });
  }

  /** How many tickets there are, including archived ones. */
  count(): Promise<number> {
    return this.#store.database.read((db) => this.#store.count(db));
  }
}

/** The row of a ticket by its id or slug; NOT_FOUND with the nearest ids if there is none. */
export async function requireRow(store: TicketStore, db: Db, given: string): Promise<TicketRow> {
  const id = requireId(given);
  const row = await store.find(db, id);
  if (row) return row;
  const ids = await store.findLatestIds(db, maxCompared);
  throw ticketNotFound(id, findClosest(id, ids).slice(0, 3));
}

/** Those that are neither done nor archived; one that is unknown holds up nothing. */
function openAmong(ids: readonly string[], statuses: ReadonlyMap<string, string>): string[] {
  return ids.filter((id) => statuses.has(id) && !isDone(statuses.get(id)));
}

export function requireUnblocked({ id, blockedBy = [] }: Pick<Ticket, "id" | "blockedBy">): void {
  if (blockedBy.length > 0) throw blockedByTickets(id, blockedBy);
}

function withClaim<T extends { claim?: TicketClaim }>(ticket: T, claim: TicketClaim | undefined): T {
  return claim ? { ...ticket, claim } : ticket;
}
