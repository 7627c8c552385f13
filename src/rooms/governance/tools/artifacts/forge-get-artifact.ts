import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { noteSharedProjects } from "../../contracts/note-shared.ts";
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
  async run(services: GovernanceServices, ref, call) {
    const found = await services.artifacts.get(ref);
    await noteSharedProjects(services, call);
    if (services.artifacts.isHeldByOthers(ref)) await call.noteUntrusted();
    await services.foreignTexts.noteRead(call, [artifactSubject(ref)]);
    return found;
  },
});
