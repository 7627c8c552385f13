import type { House } from "../../commons/house.ts";
import type { OpenRoom } from "../../kernel/definitions/room.ts";
import type { ProofPort, WorkbenchPort } from "./model/ports.ts";
import { ActiveTickets } from "./service/active-tickets.ts";
import { Guides } from "./service/guides.ts";
import { LocalTickets } from "./service/local-tickets.ts";
import type { ClaimableTickets, TicketServices } from "./service/tickets.ts";

/** Tickets of the project's own store, or of the team's server if the user works with one. */
export async function openTickets(house: House): Promise<OpenRoom<TicketServices>> {
  const { guard, leases, ledger, database } = await house.store();
  const team = await house.team();
  const local = new LocalTickets({ database, ledger, leases });
  const tickets: ClaimableTickets = team ? new (await import("./remote/remote-tickets.ts")).RemoteTickets(team) : local;
  return {
    services: {
      tickets,
      guard,
      git: house.git,
      cwd: house.cwd,
      active: new ActiveTickets(),
      guides: new Guides(house.project.root, house.isTrusted),
      proof: () => house.port<ProofPort>("tickets.proof"),
      workbench: () => house.port<WorkbenchPort>("tickets.workbench"),
      pushSource: { local, team, leases, root: house.project.root },
    },
    stop: () => tickets.stop(),
  };
}
