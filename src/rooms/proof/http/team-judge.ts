import { readCriterionStates } from "../../../commons/evidence/criterion-states.ts";
import type { ProofTicket } from "../model/ports.ts";
import { judgeCompletion } from "../service/proof-policy.ts";
import { type ProofRouteServices, requireTeam } from "./services.ts";

/** Whether a team's policy lets a ticket be completed, by what was recorded on the server. */
export function makeTeamJudge(services: ProofRouteServices) {
  return {
    async judge({ id, criteria, records }: Pick<ProofTicket, "id" | "criteria" | "records">) {
      const { proof, ciOnly } = await requireTeam(services).policy.get();
      return judgeCompletion(id, proof, readCriterionStates(criteria, records, { ciOnly }), ciOnly);
    },
  };
}
