import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { artifactSubject } from "../../model/artifact.ts";
import { artifactKey, artifactType, storedArtifact, ttlHours } from "../../model/artifact-schemas.ts";
import { defaultTtlHours } from "../../model/limits.ts";
import { projectId } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeStoreArtifact = defineTool({
  name: "forge_store_artifact",
  title: "Store an artifact",
  description: "Keep an intermediate result for later calls, by project, type and key. Storing again replaces it.",
  effect: "set",
  input: z.object({
    project_id: projectId,
    artifact_type: artifactType,
    key: artifactKey,
    content: z.unknown().describe("Any JSON value"),
    ttl_hours: ttlHours.optional().describe(`Default: ${defaultTtlHours}`),
    persist: z.boolean().optional().describe("false: only until this server stops"),
  }),
  output: storedArtifact,
  about: ({ project_id }) => [`project:${project_id}`],
  async run(services: GovernanceServices, { ttl_hours = defaultTtlHours, persist = true, ...artifact }, call) {
    const { project_id, artifact_type, key } = artifact;
    const subject = artifactSubject(artifact);
    const before = await services.artifacts.find({ project_id, artifact_type, key });
    // Such a caller replaces what it may, and not what somebody stores at the same moment.
    const isHeld = () => services.foreignTexts.mayBeForeign(call);
    const sharedAs = (content: unknown) => (services.artifacts.isShared ? { content } : undefined);
    if (before)
      await services.foreignTexts.requireReplace(call, {
        subject,
        summary: `Replace the ${artifact_type} artifact ${key} of project ${project_id}`,
        content: { ...artifact, ttl_hours, persist },
        shared: sharedAs(before.content),
      });
    return services.foreignTexts.replace(call, { subject, shared: sharedAs(artifact.content) }, async (author) =>
      services.artifacts.put(author, { ...artifact, ttl_hours }, persist, (await isHeld()) ? { before } : undefined),
    );
  },
});
