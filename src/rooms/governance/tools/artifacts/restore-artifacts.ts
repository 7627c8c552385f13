import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { artifactFilter } from "../../model/artifact-schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const restoreArtifacts = defineTool({
  name: "restore_artifacts",
  title: "Restore artifacts",
  description:
    "Restore artifacts that were cleared less than a day ago. Artifacts that were stored again since then are not changed.",
  effect: "set",
  surfaces: ["cli"],
  input: artifactFilter,
  output: z.object({ restored: z.number().int(), project_id: z.string() }),
  about: ({ project_id }) => [`project:${project_id}`],
  async run({ artifacts }: GovernanceServices, filter, call) {
    return { restored: await artifacts.restore(call, filter), project_id: filter.project_id };
  },
});
