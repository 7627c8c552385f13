import type { Visit } from "../../commons/house.ts";
import type { ServedRoom } from "../../kernel/definitions/room.ts";
import type { ProofRouteServices } from "../../rooms/proof/http/services.ts";
import { makeTeamJudge } from "../../rooms/proof/http/team-judge.ts";
import type { TicketRouteServices } from "../../rooms/tickets/http/services.ts";
import { toProofTicket } from "../../rooms/tickets/service/ports/proof-tickets.ts";

type ServicesOf = (room: string) => unknown;

/** What rooms need of each other in a team's server, by the room that needs it. */
const adapters: Record<string, (services: ServicesOf) => unknown> = {
  "proof.tickets": (services) => {
    const { tickets } = services("tickets") as TicketRouteServices;
    return { get: async (id: string) => toProofTicket(await tickets.get(id)) };
  },
  "tickets.proof": (services) => makeTeamJudge(services("proof") as ProofRouteServices),
};

export function openServerPort(
  name: string,
  visit: Visit,
  served: ReadonlyMap<string, ServedRoom<Visit, unknown>>,
): unknown {
  return adapters[name]?.((room) => served.get(room)?.services(visit));
}
