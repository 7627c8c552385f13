import type { Leases } from "../../commons/leases/index.ts";
import { type Ledger, TeamLedger } from "../../commons/ledger/index.ts";
import type { Database } from "../../platform/db/database.ts";
import { LocalTickets, TicketReader } from "../../rooms/tickets/index.ts";

export type TeamRoom = { tickets: LocalTickets; ledger: TeamLedger };

type Shared = { database: Database<unknown>; ledger: Ledger; leases: Leases };

/** What each team's requests run on; of teams that were not heard of for long, it is made anew when they come back. */
export class TeamRooms {
  readonly #shared: Shared;
  readonly #most: number;
  /** One for all, so that what is kept has one bound. */
  readonly #reader = new TicketReader();
  readonly #rooms = new Map<string, TeamRoom>();

  constructor(shared: Shared, most = 100) {
    this.#shared = shared;
    this.#most = most;
  }

  of(team: string): TeamRoom {
    const room = this.#rooms.get(team) ?? this.#make(team);
    // Asked for last, it is the last to go.
    this.#rooms.delete(team);
    this.#rooms.set(team, room);
    const [oldest] = this.#rooms.size > this.#most ? this.#rooms.keys() : [];
    // Claims that requests made are in the database; the room itself holds none.
    if (oldest !== undefined) this.#rooms.delete(oldest);
    return room;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#rooms.values()].map(({ tickets }) => tickets.stop()));
  }

  #make(team: string): TeamRoom {
    const { database, leases } = this.#shared;
    const ledger = new TeamLedger(this.#shared.ledger, team);
    return { ledger, tickets: new LocalTickets({ database, ledger, leases, team, reader: this.#reader }) };
  }
}
