import type { ProofTicket } from "../model/ports.ts";
import type { ReceiptIssuer } from "../receipt/receipt.ts";
import type { ServerKey } from "../store/server-key.ts";
import type { TeamPolicyStore } from "../store/team-policy.ts";

/** What requests about proof run on. */
export type ProofRouteServices = {
  key: Pick<ServerKey, "own">;
  /** Of the caller's team; absent on public routes. */
  team?: {
    policy: TeamPolicyStore;
    /** What its receipts say about where they come from. */
    issuer: ReceiptIssuer;
    get(id: string): Promise<ProofTicket>;
  };
};

export function requireTeam({ team }: ProofRouteServices): NonNullable<ProofRouteServices["team"]> {
  if (!team) throw new Error("a public route asked for a team's proof");
  return team;
}
