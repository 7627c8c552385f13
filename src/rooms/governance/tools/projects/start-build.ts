import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { build } from "../../model/project-schemas.ts";
import { projectId } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const startBuild = defineTool({
  name: "start_build",
  title: "Start a build",
  description: "Start a build: it pins the newest version of every contract of a project.",
  effect: "add",
  surfaces: ["cli"],
  input: z.object({ project_id: projectId }),
  output: build,
  run: ({ builds }: GovernanceServices, { project_id }, call) => builds.start(call, project_id),
});
