import type { ServerHouse, Visit } from "../../commons/house.ts";
import type { ServedRoom } from "../../kernel/definitions/room.ts";
import type { ProofRouteServices } from "./http/services.ts";
import type { ProofTickets } from "./model/ports.ts";
import { ReceiptKeys } from "./receipt/keys.ts";
import { TeamPolicyStore } from "./store/team-policy.ts";

/** Proof on a team's server: its own key, and each team's policy. Checks are run by members and by CI, never here. */
export function serveProof({ database, ledgerOf, port }: ServerHouse): ServedRoom<Visit, ProofRouteServices> {
  const keys = new ReceiptKeys();
  return {
    services(visit) {
      const { signedIn } = visit;
      if (!signedIn) return { keys };
      const { id: team } = signedIn.team;
      const policy = new TeamPolicyStore({ database, ledger: ledgerOf(team), team });
      return { keys, team: { policy, get: (id) => port<Pick<ProofTickets, "get">>("proof.tickets", visit).get(id) } };
    },
  };
}
