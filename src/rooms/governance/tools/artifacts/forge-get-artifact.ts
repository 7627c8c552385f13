import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { artifactSubject } from "../../model/artifact.ts";
import { artifact, artifactRef } from "../../model/artifact-schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeGetArtifact = defineTool({
  name: "forge_get_artifact",
  title: "Read an artifact",
  description: "Read a stored artifact.",
  effect: "read",
  untrusted: "repository",
  input: artifactRef,
  output: artifact,
  async run({ artifacts, foreignTexts, client }: GovernanceServices, ref, call) {
    const found = await artifacts.get(ref);
    // On a team's server others store artifacts too, and who did is not known here.
    if (client) await call.noteUntrusted();
    await foreignTexts.noteRead(call, [artifactSubject(ref)]);
    return found;
  },
});
