import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { project } from "../../model/project-schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const listProjects = defineTool({
  name: "list_projects",
  title: "List projects",
  description: "List the projects that contracts and builds belong to.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({}),
  output: z.object({ projects: z.array(project) }),
  run: async ({ projects }: GovernanceServices, _input, { signal }) => ({ projects: await projects.list(signal) }),
});
