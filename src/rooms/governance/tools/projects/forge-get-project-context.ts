import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { noteSharedProjects } from "../../contracts/note-shared.ts";
import { ofProject, projectContext } from "../../model/project-schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeGetProjectContext = defineTool({
  name: "forge_get_project_context",
  title: "Read a project's manifest",
  description: "Read a project: its name and status, its contracts with their versions, and its builds.",
  effect: "read",
  untrusted: "repository",
  input: z.object(ofProject),
  output: projectContext,
  async run(services: GovernanceServices, { project_id: given, session_id: sessionId }, call) {
    const { projects, sessions } = services;
    await noteSharedProjects(services, call);
    const id = await sessions.require("project_id", call.principal, { given, sessionId });
    return projects.context(id, call.signal);
  },
});
