import { expect, test } from "vitest";
import { makeDatedFolder } from "../../../../test/harness/fs/dated-files.ts";
import { writeFiles } from "../../../../test/harness/git/git.ts";
import type { TestRun } from "../../../commons/test-runs/test-run.ts";
import { CheckRunner } from "./check-runner.ts";

/** Go reports tests by package, and not by file. */
const report = {
  ...{ id: "test_1", runner: "go", durationMs: 1, failures: [], origin: { from: "tree" } },
  cases: [{ name: "TestAdds", outcome: "passed" }],
} as unknown as TestRun;

test("a test that the runner names without a file is the check's only if the file declares it", async () => {
  const root = makeDatedFolder({});
  writeFiles(root, {
    "sum_test.go": "package shop\n\nfunc TestAdds(t *testing.T) {}\n",
    "other_test.go": "package shop\n\n/*\nfunc TestAdds(\n*/\n// TestAdds is elsewhere.\n",
  });
  const runner = new CheckRunner({ run: async () => report }, { require: async () => [] }, async () => "tree");
  const checks = ["sum_test.go", "other_test.go"].map((file) => ({
    ...{ id: file, criterion: "AC-1", by: "ada", at: "" },
    how: { type: "test" as const, file, name: "TestAdds" },
  }));
  const { signal } = new AbortController();
  const place = { root, signal, deadlineMs: undefined, report: () => undefined, renew: async () => undefined };
  const ran = await runner.run(checks, place);
  expect(ran.get("sum_test.go")).toMatchObject({ outcome: "passed" });
  expect(ran.get("other_test.go")).toMatchObject({ outcome: "not_found", why: "There is no test of this name." });
});
