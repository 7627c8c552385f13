import { expect, it } from "vitest";
import { GovernanceProject } from "../../../../../test/harness/rooms/governance.ts";

it("names contracts, layers and invariants without their text", async () => {
  const boundaries = '{"layers":[{"name":"api","description":"HTTP","glob":"api/*","forbidden":["x","y"]}]}';
  const assistant = await new GovernanceProject({ "Forge/Contracts/boundaries.json": boundaries }).connect();
  const summary = await assistant.get("forge_summary");
  expect(summary).toMatchObject({
    framework: "Forge",
    available_contracts: ["boundaries"],
    architectural_layers: [{ name: "api", description: "HTTP", forbidden_count: 2 }],
  });
  expect(summary["contracts"]).toHaveLength(15);
  expect(summary["invariants"]).toHaveLength(7);
});
