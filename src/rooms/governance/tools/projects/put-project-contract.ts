import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { contractText, projectContract } from "../../model/project-schemas.ts";
import { projectContractType, projectId } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const putProjectContract = defineTool({
  name: "put_project_contract",
  title: "Save a project's contract",
  description:
    "Save a new version of a project's contract. Builds that were started before keep the version they have pinned.",
  effect: "set",
  surfaces: ["cli"],
  input: z.object({ project_id: projectId, contract_type: projectContractType, content: contractText }),
  output: projectContract.omit({ content: true }),
  run: ({ projects }: GovernanceServices, { project_id, contract_type, content }, call) =>
    projects.putContract(call, project_id, contract_type, content),
});
