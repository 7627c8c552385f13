import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { buildId, idText, line, projectId } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeSetSession = defineTool({
  name: "forge_set_session",
  title: "Set default project",
  description: "Set the project and build that the project tools use by default, for this connection only.",
  effect: "set",
  input: z.object({ project_id: projectId, build_id: buildId.optional(), user_id: idText(200).optional() }),
  output: z.object({
    session_id: line,
    project_id: line,
    build_id: line.optional(),
    user_id: line.optional(),
    expires_at: line,
  }),
  about: ({ project_id }) => [`project:${project_id}`],
  run: ({ sessions }: GovernanceServices, { project_id, build_id, user_id }, call) =>
    sessions.set(call, {
      project_id,
      ...(build_id !== undefined && { build_id }),
      ...(user_id !== undefined && { user_id }),
    }),
});
