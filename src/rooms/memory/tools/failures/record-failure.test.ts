import { expect, test } from "vitest";
import { startMemoryServer } from "../../../../../test/harness/rooms/memory/memory-server.ts";

test("a mistake without a run is filed by its title, and counted", async () => {
  const { ok, fails } = await startMemoryServer();
  const mistake = { title: "Merged without review", category: "PROCESS-SKIP" };
  const first = await ok("record_failure", { ...mistake, rule: "Two approvals" });
  expect(first).toMatchObject({ count: 1, severity: "important", agent: "dev" });
  expect(await ok("record_failure", mistake)).toMatchObject({ count: 2, rule: "Two approvals" });
  expect((await fails("record_failure", {})).code).toBe("VALIDATION_ERROR");
  expect((await fails("record_failure", { run: "test_0000000000000000" })).code).toBe("NOT_FOUND");
});

test("a failing test run is filed with its tests and files", async () => {
  const { ok, store } = await startMemoryServer();
  const { TestRunStore } = await import("../../../../commons/test-runs/test-run-store.ts");
  const runs = new TestRunStore((await store()).database.forTables());
  const failures = [{ name: "adds up", file: "src/sum.test.ts", message: "expected 3, got 4" }];
  const run = {
    id: "test_0123456789abcdef",
    at: 1,
    runner: "vitest",
    scope: "all",
    included: "all",
    status: "failed",
  } as const;
  const counts = {
    total: 1,
    passed: 0,
    failed: 1,
    skipped: 0,
    durationMs: 1,
    exitCode: 1,
    omittedFailures: 0,
    notes: [],
    origin: { from: "unknown" as const },
    withheld: [],
    output: "",
  };
  await runs.save("/project", { ...run, ...counts, command: ["vitest"], failures });
  expect(await ok("record_failure", { run: run.id })).toMatchObject({
    title: "Test failed: adds up",
    files: ["src/sum.test.ts"],
    what_happened: "expected 3, got 4",
  });
});
