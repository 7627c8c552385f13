import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { teamSchema } from "../model/schemas.ts";
import type { AccessServices } from "../services.ts";

export const createTeam = defineTool({
  name: "create_team",
  title: "Create a team",
  description: "Create another team on the server, with you as its admin. Each team has its own members and tickets.",
  effect: "send",
  surfaces: ["cli"],
  ofUser: () => true,
  input: z.object({ name: z.string().trim().min(1).max(100).describe("The team's name") }),
  output: teamSchema,
  run: async ({ login }: AccessServices, { name }, { signal }) => (await login.account()).createTeam(name, signal),
});
