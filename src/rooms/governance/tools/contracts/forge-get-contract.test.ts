import { expect, it } from "vitest";
import { GovernanceProject } from "../../../../../test/harness/rooms/governance.ts";

it("answers with what was parsed, and with the text of what does not parse", async () => {
  const project = new GovernanceProject({ "Forge/Contracts/physics.yaml": "paths: {}\n" });
  const assistant = await project.connect();
  const read = () => assistant.get("forge_get_contract", { name: "physics" });
  expect(await read()).toEqual({ name: "physics", filename: "physics.yaml", format: "yaml", content: { paths: {} } });
  project.write("Forge/Contracts/physics.yaml", "paths: [\n");
  expect(await read()).toMatchObject({ content: "paths: [\n", warnings: [expect.stringContaining("not valid YAML")] });
});

it("says that a missing contract is normal, and how a person creates it", async () => {
  const assistant = await new GovernanceProject().connect();
  const error = await assistant.fail("forge_get_contract", { name: "ui" });
  expect(error).toMatchObject({ code: "CONTRACT_NOT_FOUND", message: expect.stringContaining("normal") });
  expect(JSON.stringify(error["suggestions"])).toContain("governance init ui");
});
