import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { artifactFilter, artifactList } from "../../model/artifact-schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeListArtifacts = defineTool({
  name: "forge_list_artifacts",
  title: "List artifacts",
  description: "List a project's stored artifacts by type and key, 100 at a time.",
  effect: "read",
  input: artifactFilter.extend({
    cursor: z.string().max(2_000).optional().describe("`next_cursor` of the previous page"),
    limit: z.number().int().min(1).max(1_000).optional().meta({ unadvertised: true }),
  }),
  output: artifactList,
  async run({ artifacts }: GovernanceServices, { cursor, limit, ...filter }) {
    const page = await artifacts.list(filter, { cursor, limit });
    const { project_id, artifact_type = null } = filter;
    return { project_id, artifact_type_filter: artifact_type, count: page.artifacts.length, ...page };
  },
});
