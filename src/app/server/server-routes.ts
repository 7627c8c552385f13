import { activityRoute, relayRoute, type TeamLedger } from "../../commons/ledger/index.ts";
import type { Route } from "../../kernel/route.ts";
import { type AccessRouteServices, accessRoutes } from "../../rooms/access/http/routes.ts";
import type { Access, SignedIn } from "../../rooms/access/service/ports.ts";
import { type People, type TicketRouteServices, ticketRoutes } from "../../rooms/tickets/http/routes.ts";

/** What the routes of a team's server run on; made anew for each request. */
export type ServerServices = TicketRouteServices &
  AccessRouteServices & { ledger: Pick<TeamLedger, "latest" | "take"> };

/** Every REST route of a team's server: what is served, described and checked comes from this one list. */
export function serverRoutes(): Route<ServerServices>[] {
  return [...ticketRoutes, ...accessRoutes, activityRoute, relayRoute];
}

/** The caller's team, for assigning tickets; it is the server that looks, whatever else the token allows. */
export function peopleOf(access: Pick<Access, "members">, signedIn: SignedIn): People {
  return {
    async nameOf(userId) {
      const members = await access.members({ ...signedIn, scopes: ["access:read"] });
      const user = members.find((member) => member.user.id === userId)?.user;
      return user && (user.displayName || user.email);
    },
  };
}
