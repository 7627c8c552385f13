import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { build } from "../../model/project-schemas.ts";
import { projectId } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const listBuilds = defineTool({
  name: "list_builds",
  title: "List builds",
  description: "List the builds of a project, newest first.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({ project_id: projectId }),
  output: z.object({ builds: z.array(build) }),
  run: async ({ builds }: GovernanceServices, { project_id }, { signal }) => ({
    builds: await builds.list(project_id, signal),
  }),
});
