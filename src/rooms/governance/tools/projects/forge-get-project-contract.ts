import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { noteSharedProjects } from "../../contracts/note-shared.ts";
import { ofProject, projectContract } from "../../model/project-schemas.ts";
import { projectContractType } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeGetProjectContract = defineTool({
  name: "forge_get_project_contract",
  title: "Read a project's contract",
  description: "Read the newest version of a contract that a project has in the database.",
  effect: "read",
  untrusted: "repository",
  input: z.object({ ...ofProject, contract_type: projectContractType }),
  output: projectContract,
  async run(services: GovernanceServices, { project_id: given, session_id: sessionId, contract_type }, call) {
    const { projects, sessions } = services;
    await noteSharedProjects(services, call);
    const id = await sessions.require("project_id", call.principal, { given, sessionId });
    return projects.contract(id, contract_type, call.signal);
  },
});
