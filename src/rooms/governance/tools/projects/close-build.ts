import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { build } from "../../model/project-schemas.ts";
import { buildId } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const closeBuild = defineTool({
  name: "close_build",
  title: "Close a build",
  description: "Mark a build as finished. What it has pinned stays readable.",
  effect: "set",
  surfaces: ["cli"],
  input: z.object({ build_id: buildId }),
  output: build,
  run: ({ builds }: GovernanceServices, { build_id }, call) => builds.close(call, build_id),
});
