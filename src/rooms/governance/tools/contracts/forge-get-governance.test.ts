import { expect, it } from "vitest";
import { GovernanceProject } from "../../../../../test/harness/rooms/governance.ts";

it("answers with the builder contract, boundaries, stack and invariants, and says which part is missing", async () => {
  const assistant = await new GovernanceProject({
    "Forge/Contracts/builder_contract.md": "# Rules\n",
    "Forge/Contracts/boundaries.json": '{"layers":[{"name":"api","glob":"api/*","forbidden":["x"]}]}',
  }).connect();
  const { sections, available_contracts } = await assistant.get("forge_get_governance");
  expect(sections).toMatchObject({
    builder_contract: "# Rules\n",
    boundaries: { layers: [{ name: "api", glob: "api/*", forbidden: ["x"] }], known_violations: [] },
    stack_error: expect.stringContaining("stack.md"),
  });
  expect(available_contracts).toEqual(["boundaries", "builder_contract"]);
});

it("has the project's own invariants after the built-in ones, and a warning for a file that cannot be used", async () => {
  const project = new GovernanceProject({
    "Forge/invariants.json":
      '{"invariants":[{"name":"todo_count","constraint":"monotonic_down","glob":"src/**","pattern":"TODO"}]}',
  });
  const assistant = await project.connect();
  const read = async () =>
    (await assistant.get("forge_get_governance")) as { sections: { invariants: { name: string }[] } };
  expect((await read()).sections.invariants.map(({ name }) => name).at(-1)).toBe("todo_count");
  project.write("Forge/invariants.json", "{");
  expect(await read()).toMatchObject({ warnings: [expect.stringContaining("invariants.json")] });
});
