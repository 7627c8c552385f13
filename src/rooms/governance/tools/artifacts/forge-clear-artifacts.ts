import { defineTool } from "../../../../kernel/definitions/tool.ts";
import type { Artifacts } from "../../artifacts/artifacts.ts";
import { type ArtifactFilter, type ArtifactRef, artifactSubject } from "../../model/artifact.ts";
import { artifactFilter, clearedArtifacts } from "../../model/artifact-schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

const maxListed = 1_000;

export const forgeClearArtifacts = defineTool({
  name: "forge_clear_artifacts",
  title: "Clear artifacts",
  description: "Remove a project's artifacts, or those of one type. The user can restore them for a day.",
  effect: "remove",
  input: artifactFilter,
  output: clearedArtifacts,
  about: ({ project_id }) => [`project:${project_id}`],
  async run({ artifacts, foreignTexts }: GovernanceServices, filter, call) {
    const { project_id, artifact_type = null } = filter;
    if (await foreignTexts.mayBeForeign(call)) {
      const isOwn = async (ref: ArtifactRef) => {
        // On a server, another member may have replaced it.
        const shared = artifacts.isShared ? { content: (await artifacts.find(ref))?.content } : undefined;
        return foreignTexts.isAuthor(call, artifactSubject(ref), shared);
      };
      const others = await findOthers(artifacts, filter, isOwn);
      const summary = `Clear the ${artifact_type === null ? "" : `${artifact_type} `}artifacts of project ${project_id}`;
      // Else it could replace them after all, by storing again what it has cleared.
      if (others !== undefined) await foreignTexts.requireChange(call, { subject: others, summary, content: filter });
    }
    return { ...(await artifacts.clear(call, filter)), project_id, artifact_type };
  },
});

/** The first artifact that somebody else stored. */
async function findOthers(
  artifacts: Artifacts,
  filter: ArtifactFilter,
  isOwn: (ref: ArtifactRef) => Promise<boolean>,
): Promise<string | undefined> {
  let cursor: string | undefined;
  do {
    const page = await artifacts.list(filter, { cursor, limit: maxListed });
    for (const { artifact_type, key } of page.artifacts) {
      const ref = { project_id: filter.project_id, artifact_type, key };
      if (!(await isOwn(ref))) return artifactSubject(ref);
    }
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return undefined;
}
