import { expect, it } from "vitest";
import { GovernanceProject } from "../../../../../test/harness/rooms/governance.ts";

it("lists every name in one order, with what exists", async () => {
  const assistant = await new GovernanceProject({ "Forge/Contracts/Remediation.md": "x" }).connect();
  const { contracts, total } = await assistant.get("forge_list_contracts");
  const listed = contracts as { name: string; available: boolean }[];
  expect(total).toBe(15);
  expect(listed[0]?.name).toBe("boundaries");
  expect(listed.filter(({ available }) => available).map(({ name }) => name)).toEqual(["remediation"]);
});
