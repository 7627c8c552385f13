import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { versionNumber } from "../../model/project-schemas.ts";
import { projectContractType, projectId } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const diffContract = defineTool({
  name: "diff_contract",
  title: "Compare versions of a contract",
  description: "Show what changed between two versions of a project's contract, by default the two newest.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({
    project_id: projectId,
    contract_type: projectContractType,
    from: versionNumber.optional().describe("Default: the version before"),
    to: versionNumber.optional().describe("Default: the newest"),
  }),
  output: z.object({ from: z.number().int(), to: z.number().int(), diff: z.string() }),
  async run({ projects }: GovernanceServices, { project_id, contract_type, ...versions }, { signal }) {
    const { formatUnifiedDiff } = await import("../../../../commons/diff/unified-diff.ts");
    const newer = await projects.contract(project_id, contract_type, signal, versions.to);
    const from = versions.from ?? newer.version - 1;
    const before = from === 0 ? "" : (await projects.contract(project_id, contract_type, signal, from)).content;
    return { from, to: newer.version, diff: formatUnifiedDiff(contract_type, before, newer.content) };
  },
});
