import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { sessionId } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeClearSession = defineTool({
  name: "forge_clear_session",
  title: "Clear default project",
  description: "Forget the project and build set with forge_set_session.",
  effect: "set",
  input: z.object({ session_id: sessionId.meta({ unadvertised: true }) }),
  output: z.object({ cleared: z.boolean() }),
  run: async ({ sessions }: GovernanceServices, { session_id }, call) => ({
    cleared: await sessions.clear(call, session_id),
  }),
});
