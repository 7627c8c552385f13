import type { Ticket } from "../model/ticket.ts";
import { type TicketRow, toTicket } from "./rows.ts";

/** A ticket with the row it was made from. */
export type KnownTicket = { row: TicketRow; ticket: Ticket };

/** Characters of documents. */
const maxCharacters = 4 * 1_048_576;

/**
 * Keeps tickets that were read, since assistants read the ticket they work on again and again. The tickets are shared by all
 * readers, and frozen.
 */
export class TicketCache {
  readonly #known = new Map<string, KnownTicket>();
  #characters = 0;

  /** The ticket, if it was read at this revision before. */
  get(row: Pick<TicketRow, "team" | "id" | "revision">): Ticket | undefined {
    const known = this.lastSeen(row);
    return known?.ticket.revision === row.revision ? known.ticket : undefined;
  }

  /** The ticket as it was last seen; another process may have changed it since. */
  lastSeen(row: Pick<TicketRow, "team" | "id">): KnownTicket | undefined {
    return this.#known.get(keyOf(row));
  }

  /** The ticket of a row, from now on in the cache. */
  read(row: TicketRow): Ticket {
    const ticket = Object.freeze(toTicket(row));
    this.set(row, ticket);
    return ticket;
  }

  set(row: TicketRow, ticket: Ticket): void {
    this.#forget(keyOf(row));
    this.#known.set(keyOf(row), { row, ticket });
    this.#characters += row.document.length;
    for (const key of this.#known.keys()) {
      if (this.#characters <= maxCharacters) break;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    this.#characters -= this.#known.get(key)?.row.document.length ?? 0;
    this.#known.delete(key);
  }
}

/** Every team has a T-1. */
function keyOf({ team, id }: Pick<TicketRow, "team" | "id">): string {
  return `${team}/${id}`;
}
