import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { projectContract, versionNumber } from "../../model/project-schemas.ts";
import { projectContractType, projectId } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const getContractVersion = defineTool({
  name: "get_contract_version",
  title: "Read a version of a contract",
  description: "Read any version of a project's contract.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({
    project_id: projectId,
    contract_type: projectContractType,
    version: versionNumber.optional().describe("Default: the newest"),
  }),
  output: projectContract,
  run: ({ projects }: GovernanceServices, { project_id, contract_type, version }, { signal }) =>
    projects.contract(project_id, contract_type, signal, version),
});
