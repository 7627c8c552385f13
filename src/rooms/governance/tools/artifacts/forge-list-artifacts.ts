import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { noteSharedProjects } from "../../contracts/note-shared.ts";
import { artifactSubject } from "../../model/artifact.ts";
import { artifactFilter, artifactList } from "../../model/artifact-schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeListArtifacts = defineTool({
  name: "forge_list_artifacts",
  title: "List artifacts",
  description: "List a project's stored artifacts by type and key, 100 at a time.",
  effect: "read",
  untrusted: "repository",
  input: artifactFilter.extend({
    cursor: z.string().max(2_000).optional().describe("`next_cursor` of the previous page"),
    limit: z.number().int().min(1).max(1_000).optional().meta({ unadvertised: true }),
  }),
  output: artifactList,
  async run(services: GovernanceServices, { cursor, limit, ...filter }, call) {
    const page = await services.artifacts.list(filter, { cursor, limit });
    // Keys are text, too.
    await noteSharedProjects(services, call);
    const refs = page.artifacts.map(({ artifact_type, key }) => ({
      project_id: filter.project_id,
      artifact_type,
      key,
    }));
    await services.foreignTexts.noteRead(call, refs.map(artifactSubject));
    const { project_id, artifact_type = null } = filter;
    return { project_id, artifact_type_filter: artifact_type, count: page.artifacts.length, ...page };
  },
});
