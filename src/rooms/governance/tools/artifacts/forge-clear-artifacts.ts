import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { artifactFilter, clearedArtifacts } from "../../model/artifact-schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeClearArtifacts = defineTool({
  name: "forge_clear_artifacts",
  title: "Clear artifacts",
  description: "Remove a project's artifacts, or those of one type. The user can restore them for a day.",
  effect: "remove",
  input: artifactFilter,
  output: clearedArtifacts,
  about: ({ project_id }) => [`project:${project_id}`],
  async run({ artifacts }: GovernanceServices, filter, call) {
    const { project_id, artifact_type = null } = filter;
    return { ...(await artifacts.clear(call, filter)), project_id, artifact_type };
  },
});
