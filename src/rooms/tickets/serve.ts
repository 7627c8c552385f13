import type { ServerHouse, Visit } from "../../commons/house.ts";
import type { ServedRoom } from "../../kernel/definitions/room.ts";
import type { TicketRouteServices } from "./http/services.ts";
import type { ProofPort } from "./model/ports.ts";
import { LocalTickets } from "./service/local-tickets.ts";
import { TicketCache } from "./store/ticket-cache.ts";

const maxTeams = 100;

/** Each team's tickets on a server. A team that was not used for long is closed, and opened again on its next request. */
export function serveTickets({
  database,
  leases,
  ledgerOf,
  port,
}: ServerHouse): ServedRoom<Visit, TicketRouteServices> {
  // One for all teams, so that the memory it takes has one limit.
  const cache = new TicketCache();
  const opened = new Map<string, LocalTickets>();

  function ticketsOf(team: string): LocalTickets {
    const known = opened.get(team);
    if (known && opened.size < maxTeams) return known;
    const tickets = known ?? new LocalTickets({ database, ledger: ledgerOf(team), leases, team, cache });
    // Put last: the first one is the one that was not used for longest.
    opened.delete(team);
    opened.set(team, tickets);
    const [oldest] = opened.size > maxTeams ? opened.keys() : [];
    // It can be dropped without stopping it: claims that requests made are in the database.
    if (oldest !== undefined) opened.delete(oldest);
    return tickets;
  }

  return {
    services(visit) {
      const { signedIn, people } = visit;
      if (!signedIn) throw new Error("a public route asked for a team's tickets");
      const proof = async () => port<ProofPort | undefined>("tickets.proof", visit);
      return { tickets: ticketsOf(signedIn.team.id), people, proof };
    },
    async stop() {
      await Promise.all([...opened.values()].map((tickets) => tickets.stop()));
    },
  };
}
