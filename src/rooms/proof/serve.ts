import type { ServerHouse, Visit } from "../../commons/house.ts";
import type { ServedRoom } from "../../kernel/definitions/room.ts";
import type { ProofRouteServices } from "./http/services.ts";
import type { ProofTickets } from "./model/ports.ts";
import { ServerKey } from "./store/server-key.ts";
import { TeamPolicyStore } from "./store/team-policy.ts";

/** Proof on a team's server: its own key, and each team's policy. Checks are run by members and by CI, never here. */
export function serveProof(house: ServerHouse): ServedRoom<Visit, ProofRouteServices> {
  const { database, ledgerOf, port, publicUrl } = house;
  const key = new ServerKey(database, house.secret);
  return {
    prepare: () => key.prepare(),
    services(visit) {
      const { signedIn } = visit;
      if (!signedIn) return { key };
      const { id: team, name } = signedIn.team;
      const policy = new TeamPolicyStore({ database, ledger: ledgerOf(team), team });
      const issuer = { server: publicUrl(), team: { id: team, name } };
      const get = (id: string) => port<Pick<ProofTickets, "get">>("proof.tickets", visit).get(id);
      return { key, team: { policy, issuer, get } };
    },
  };
}
