import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { newProjectId, project, projectName } from "../../model/project-schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const createProject = defineTool({
  name: "create_project",
  title: "Create a project",
  description: "Create a project that contracts and builds belong to.",
  effect: "add",
  surfaces: ["cli"],
  input: z.object({ name: projectName, id: newProjectId.optional().describe("Default: a new id") }),
  output: project,
  run: ({ projects }: GovernanceServices, input, call) => projects.create(call, input),
});
