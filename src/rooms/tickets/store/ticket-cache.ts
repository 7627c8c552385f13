import type { Ticket } from "../model/ticket.ts";
import { type TicketRow, toTicket } from "./rows.ts";

/** A ticket with the row it was made from. */
export type KnownTicket = { row: TicketRow; ticket: Ticket };

/** With a copy of the row's number and revision: rows that were read and rows that were written have two shapes, which are slow to read. */
type CachedTicket = KnownTicket & { seq: number; revision: number };

/** Characters of documents. */
const maxCharacters = 4 * 1_048_576;

/**
 * Keeps tickets that were read, since assistants read the ticket they work on again and again. The tickets are shared by all
 * readers, and frozen.
 */
export class TicketCache {
  /** By team and id: every team has a T-1. A set of all, the oldest first, says which to forget. */
  readonly #teams = new Map<string, Map<string, CachedTicket>>();
  readonly #all = new Set<CachedTicket>();
  #characters = 0;

  /** The ticket, if it was read at this revision before. */
  get({ team, id, revision }: Pick<TicketRow, "team" | "id" | "revision">): Ticket | undefined {
    const known = this.lastSeen(team, id);
    return known?.revision === revision ? known.ticket : undefined;
  }

  /** The ticket as it was last seen; another process may have changed it since. */
  lastSeen(team: string, id: string): CachedTicket | undefined {
    return this.#teams.get(team)?.get(id);
  }

  /** The ticket of a row, from now on in the cache. */
  read(row: TicketRow): Ticket {
    const ticket = Object.freeze(toTicket(row));
    this.set(row, ticket);
    return ticket;
  }

  set(row: TicketRow, ticket: Ticket): void {
    const { team, id, seq, revision } = row;
    const known = this.lastSeen(team, id);
    if (known) this.#forget(known);
    const cached = { seq, revision, row, ticket };
    const ofTeam = this.#teams.get(team) ?? new Map<string, CachedTicket>();
    this.#teams.set(team, ofTeam.set(id, cached));
    this.#all.add(cached);
    this.#characters += row.document.length;
    for (const oldest of this.#all) {
      if (this.#characters <= maxCharacters) break;
      this.#forget(oldest);
    }
  }

  #forget(cached: CachedTicket): void {
    const { team, id, document } = cached.row;
    const ofTeam = this.#teams.get(team);
    ofTeam?.delete(id);
    if (ofTeam?.size === 0) this.#teams.delete(team);
    this.#all.delete(cached);
    this.#characters -= document.length;
  }
}
