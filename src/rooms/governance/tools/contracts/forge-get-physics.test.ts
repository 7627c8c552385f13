import { expect, it } from "vitest";
import { GovernanceProject } from "../../../../../test/harness/rooms/governance.ts";

it("answers as forge_get_contract does, and is in no list", async () => {
  const assistant = await new GovernanceProject({ "Forge/Contracts/physics.yaml": "a: 1" }).connect();
  const { tools } = await assistant.client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain("forge_get_physics");
  const read = await assistant.get("forge_get_contract", { name: "physics" });
  expect(await assistant.get("forge_get_physics")).toEqual(read);
});
