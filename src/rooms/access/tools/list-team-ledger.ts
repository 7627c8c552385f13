import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { teamEntrySchema } from "../model/schemas.ts";
import type { AccessServices } from "../services.ts";

export const listTeamLedger = defineTool({
  name: "list_team_ledger",
  title: "Show the team's ledger",
  description:
    "Show what was done in the team, on the server and on members' laptops: who called what, on what, and the outcome. Oldest first.",
  effect: "fetch",
  surfaces: ["cli"],
  input: z.object({
    limit: z.int().min(1).max(500).default(50).describe("Number of entries"),
    since: z.string().max(40).optional().describe("Only entries since then: 30m, 1h, 2d, or a date like 2026-11-01"),
  }),
  output: z.array(teamEntrySchema).max(500),
  run: async ({ login }: AccessServices, { limit, since }, { signal }) =>
    (await login.account()).listActivity({ limit, since }, signal),
});
