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
  readonly #known = new Map<number, KnownTicket>();
  #characters = 0;

  /** The ticket, if it was read at this revision before. */
  get({ seq, revision }: Pick<TicketRow, "seq" | "revision">): Ticket | undefined {
    const known = this.#known.get(seq);
    return known?.ticket.revision === revision ? known.ticket : undefined;
  }

  /** The ticket as it was last seen; another process may have changed it since. */
  lastSeen(seq: number): KnownTicket | undefined {
    return this.#known.get(seq);
  }

  /** The ticket of a row, from now on in the cache. */
  read(row: TicketRow): Ticket {
    const ticket = Object.freeze(toTicket(row));
    this.set(row, ticket);
    return ticket;
  }

  set(row: TicketRow, ticket: Ticket): void {
    this.#forget(row.seq);
    this.#known.set(row.seq, { row, ticket });
    this.#characters += row.document.length;
    for (const seq of this.#known.keys()) {
      if (this.#characters <= maxCharacters) break;
      this.#forget(seq);
    }
  }

  #forget(seq: number): void {
    this.#characters -= this.#known.get(seq)?.row.document.length ?? 0;
    this.#known.delete(seq);
  }
}
