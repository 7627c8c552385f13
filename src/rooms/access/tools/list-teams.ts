import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { ownTeamSchema } from "../model/schemas.ts";
import type { AccessServices } from "../services.ts";

export const listTeams = defineTool({
  name: "list_teams",
  title: "List your teams",
  description: "List the teams you are in on the server, with your role.",
  effect: "fetch",
  surfaces: ["cli"],
  input: z.object({}),
  output: z.array(ownTeamSchema).max(100_000),
  run: async ({ login }: AccessServices, _input, { signal }) => (await login.account()).listTeams(signal),
});
