import { expect, it } from "vitest";
import { GovernanceProject } from "../../../../../test/harness/rooms/governance.ts";

it("finds what breaks the rules, and runs nothing", async () => {
  const project = new GovernanceProject({
    "package.json": "{ broken",
    "src/a.ts": "eval(x)\n",
    "Forge/Contracts/boundaries.json": '{"layers":[{"name":"source","glob":"src/**","forbidden":["eval\\\\("]}]}',
    "Forge/invariants.json": '{"invariants":[{"name":"made","constraint":"non_zero","command":["touch","ran"]}]}',
  });
  const assistant = await project.connect();
  const result = await assistant.get("forge_check_governance");
  expect(result).toMatchObject({
    status: "failed",
    violations: [{ layer: "source", file: "src/a.ts", line: 1, status: "new" }],
    syntax_errors: [{ file: "package.json" }],
  });
  expect(JSON.stringify(result["warnings"])).toContain("made is measured by a command");
  // Had the command run, there would be one more file.
  const { invariants } = await assistant.get("forge_check_governance");
  expect(invariants).toContainEqual(expect.objectContaining({ name: "total_files", value: 4 }));
});
