import * as z from "zod";
import { proofPolicies } from "../../../commons/project-file.ts";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { teamPolicy } from "../model/schemas.ts";
import type { ProofServices } from "../service/proof.ts";

export const setTeamPolicy = defineTool({
  name: "set_team_policy",
  title: "Set what a team demands as proof",
  description: "Shows or sets what the team demands before a ticket is completed. Setting it is for its admins.",
  effect: "send",
  surfaces: ["cli"],
  ofUser: ({ proof, ciOnly }) => proof !== undefined || ciOnly !== undefined,
  input: z.object({
    proof: z.enum(proofPolicies).optional(),
    ciOnly: z.boolean().optional().describe("Checks that can be run count only if CI ran them"),
  }),
  output: teamPolicy,
  run: async ({ team }: ProofServices, wanted, call) => (await team()).policy(wanted, call),
});
