import type { House } from "../../commons/house.ts";
import type { OpenRoom } from "../../kernel/room.ts";
import { GuideShelf } from "./service/guides.ts";
import type { HeldTickets, TicketServices } from "./service/ports.ts";
import { LocalTickets } from "./service/tickets.ts";
import { LocalWork } from "./service/work-at-hand.ts";

/** Tickets of the project's own store, or of the team's server where the user works with one. */
export async function openTickets(house: House): Promise<OpenRoom<TicketServices>> {
  const { guard, leases, ledger, database } = await house.store();
  const team = await house.team();
  const tickets: HeldTickets = team
    ? new (await import("./remote/index.ts")).RemoteTickets(team)
    : new LocalTickets({ database, ledger, leases });
  return {
    services: {
      tickets,
      guard,
      git: house.git,
      cwd: house.cwd,
      work: new LocalWork(),
      guides: new GuideShelf(house.project.root),
    },
    stop: () => tickets.stop(),
  };
}
