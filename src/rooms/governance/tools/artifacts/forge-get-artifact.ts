import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { artifact, artifactRef } from "../../model/artifact-schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeGetArtifact = defineTool({
  name: "forge_get_artifact",
  title: "Read an artifact",
  description: "Read a stored artifact.",
  effect: "read",
  input: artifactRef,
  output: artifact,
  run: ({ artifacts }: GovernanceServices, ref) => artifacts.get(ref),
});
