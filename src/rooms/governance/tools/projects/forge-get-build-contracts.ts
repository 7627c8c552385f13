import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { noteSharedProjects } from "../../contracts/note-shared.ts";
import { buildContracts, ofBuild } from "../../model/project-schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeGetBuildContracts = defineTool({
  name: "forge_get_build_contracts",
  title: "Read a build's contracts",
  description: "Read the contracts that a build has pinned. Later changes of the project do not affect them.",
  effect: "read",
  untrusted: "repository",
  input: z.object(ofBuild),
  output: buildContracts,
  async run(services: GovernanceServices, { build_id: given, session_id: sessionId }, call) {
    const { builds, sessions } = services;
    await noteSharedProjects(services, call);
    const id = await sessions.require("build_id", call.principal, { given, sessionId });
    return builds.contracts(id, call.signal);
  },
});
