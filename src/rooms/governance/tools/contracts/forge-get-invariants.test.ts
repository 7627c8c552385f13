import { expect, it } from "vitest";
import { GovernanceProject } from "../../../../../test/harness/rooms/governance.ts";

it("lists the seven built-in invariants with the four kinds of constraints", async () => {
  const assistant = await new GovernanceProject().connect();
  const { invariants, constraint_types, total } = await assistant.get("forge_get_invariants");
  const constraints = Object.fromEntries(
    (invariants as { name: string; constraint: string }[]).map(({ name, constraint }) => [name, constraint]),
  );
  expect(constraints).toEqual({
    backend_test_count: "monotonic_up",
    frontend_test_count: "monotonic_up",
    backend_test_failures: "equal",
    frontend_test_failures: "equal",
    total_files: "monotonic_up",
    migration_count: "monotonic_up",
    syntax_errors: "equal",
  });
  expect(constraint_types).toContainEqual({ name: "NON_ZERO", value: "non_zero" });
  expect(total).toBe(7);
});
