import type { House } from "../../commons/house.ts";
import type { OpenRoom } from "../../kernel/room.ts";
import { GuideShelf } from "./service/guides.ts";
import type { ClaimableTickets, TicketServices } from "./service/tickets.ts";
import { LocalTickets } from "./service/local-tickets.ts";
import { ActiveTickets } from "./service/active-tickets.ts";

/** Tickets of the project's own store, or of the team's server where the user works with one. */
export async function openTickets(house: House): Promise<OpenRoom<TicketServices>> {
  const { guard, leases, ledger, database } = await house.store();
  const team = await house.team();
  const tickets: ClaimableTickets = team
    ? new (await import("./remote/index.ts")).RemoteTickets(team)
    : new LocalTickets({ database, ledger, leases });
  return {
    services: {
      tickets,
      guard,
      git: house.git,
      cwd: house.cwd,
      work: new ActiveTickets(),
      guides: new GuideShelf(house.project.root),
    },
    stop: () => tickets.stop(),
  };
}
