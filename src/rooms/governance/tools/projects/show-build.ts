import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { build } from "../../model/project-schemas.ts";
import { buildId } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const showBuild = defineTool({
  name: "show_build",
  title: "Show a build",
  description: "Show a build.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({ build_id: buildId }),
  output: build,
  run: ({ builds }: GovernanceServices, { build_id }, call) => builds.get(build_id, call.signal),
});
