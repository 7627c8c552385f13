import type { ProofTicket } from "../model/ports.ts";
import type { ReceiptKeys } from "../receipt/keys.ts";
import type { TeamPolicyStore } from "../store/team-policy.ts";

/** What requests about proof run on. */
export type ProofRouteServices = {
  keys: ReceiptKeys;
  /** Of the caller's team; absent on public routes. */
  team?: {
    policy: TeamPolicyStore;
    get(id: string): Promise<ProofTicket>;
  };
};

export function requireTeam({ team }: ProofRouteServices): NonNullable<ProofRouteServices["team"]> {
  if (!team) throw new Error("a public route asked for a team's proof");
  return team;
}
