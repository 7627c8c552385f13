import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { historyEntry } from "../../model/project-schemas.ts";
import { projectContractType, projectId } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const getContractHistory = defineTool({
  name: "get_contract_history",
  title: "List versions of a contract",
  description: "List the versions of a project's contract, newest first.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({ project_id: projectId, contract_type: projectContractType }),
  output: z.object({ versions: z.array(historyEntry) }),
  run: async ({ projects }: GovernanceServices, { project_id, contract_type }, { signal }) => ({
    versions: await projects.history(project_id, contract_type, signal),
  }),
});
