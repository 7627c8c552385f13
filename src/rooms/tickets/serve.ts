import type { ServerHouse, Visit } from "../../commons/house.ts";
import type { ServedRoom } from "../../kernel/room.ts";
import type { TicketRouteServices } from "./http/services.ts";
import { LocalTickets } from "./service/local-tickets.ts";
import { TicketCache } from "./store/rows.ts";

const maxTeams = 100;

/** Each team's tickets on a server; those of teams that have been quiet for long are opened again when they come back. */
export function serveTickets({ database, leases, ledgerOf }: ServerHouse): ServedRoom<Visit, TicketRouteServices> {
  // One for all teams, so that what is kept in memory has one bound.
  const reader = new TicketCache();
  const opened = new Map<string, LocalTickets>();

  function ticketsOf(team: string): LocalTickets {
    const tickets = opened.get(team) ?? new LocalTickets({ database, ledger: ledgerOf(team), leases, team, reader });
    // Used last, it is the last to go.
    opened.delete(team);
    opened.set(team, tickets);
    const [oldest] = opened.size > maxTeams ? opened.keys() : [];
    // Claims that requests made are in the database; this holds none of its own.
    if (oldest !== undefined) opened.delete(oldest);
    return tickets;
  }

  return {
    services({ signedIn, people }) {
      if (!signedIn) throw new Error("a public route asked for a team's tickets");
      return { tickets: ticketsOf(signedIn.team.id), people };
    },
    async stop() {
      await Promise.all([...opened.values()].map((tickets) => tickets.stop()));
    },
  };
}
