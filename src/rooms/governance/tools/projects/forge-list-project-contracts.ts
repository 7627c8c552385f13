import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { noteSharedProjects } from "../../contracts/note-shared.ts";
import { limits } from "../../model/limits.ts";
import { contractVersion, ofProject } from "../../model/project-schemas.ts";
import { line } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeListProjectContracts = defineTool({
  name: "forge_list_project_contracts",
  title: "List a project's contracts",
  description: "List the contracts that a project has in the database.",
  effect: "read",
  untrusted: "repository",
  input: z.object(ofProject),
  output: z.object({ project_id: line, items: z.array(contractVersion).max(limits.listed), count: z.number().int() }),
  async run(services: GovernanceServices, { project_id: given, session_id: sessionId }, call) {
    const { projects, sessions } = services;
    await noteSharedProjects(services, call);
    const id = await sessions.require("project_id", call.principal, { given, sessionId });
    const { contracts } = await projects.context(id, call.signal);
    return { project_id: id, items: contracts, count: contracts.length };
  },
});
