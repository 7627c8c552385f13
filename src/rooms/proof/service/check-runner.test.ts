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
  expect(ran.get("other_test.go")).toMatchObject({ outcome: "not_found", why: "No test has this name." });
});

test("a fixture that is missing is an error, and not what the test checks", async () => {
  const root = makeDatedFolder({});
  writeFiles(root, { "test_sum.py": "def test_adds(two): assert two == 2\n" });
  const message = "failed on setup with \"file test_sum.py, line 1\nE       fixture 'two' not found\"";
  const failed = {
    ...{ ...report, runner: "pytest" as const, failures: [{ name: "test_adds", file: "test_sum.py", message }] },
    cases: [{ name: "test_adds", file: "test_sum.py", outcome: "failed" as const }],
  };
  const runner = new CheckRunner({ run: async () => failed }, { require: async () => [] }, async () => "tree");
  const how = { type: "test" as const, file: "test_sum.py", name: "test_adds" };
  const { signal } = new AbortController();
  const place = { root, signal, deadlineMs: undefined, report: () => undefined, renew: async () => undefined };
  const ran = await runner.run([{ id: "C-1", criterion: "AC-1", by: "ada", at: "", how }], place);
  expect(ran.get("C-1")).toMatchObject({ outcome: "failed", isError: true });
});

test("a file that is not a test is not given to the runner, no matter who bound it", async () => {
  const manifest = (script: string) => JSON.stringify({ scripts: { test: script } });
  const ranWith = async (files: Record<string, string>, file: string) => {
    const root = makeDatedFolder({});
    writeFiles(root, { [file]: "", ...files });
    const given: string[] = [];
    const run = async ({ only = [] }: { only?: readonly string[] }) => {
      given.push(...only);
      return report;
    };
    const runner = new CheckRunner({ run }, { require: async () => [] }, async () => "tree");
    const { signal } = new AbortController();
    const place = { root, signal, deadlineMs: undefined, report: () => undefined, renew: async () => undefined };
    const how = { type: "test" as const, file, name: "x" };
    const ran = await runner.run([{ id: "C-1", criterion: "AC-1", by: "ada", at: "", how }], place);
    return given.length > 0 ? "given" : ran.get("C-1");
  };
  const node = { "package.json": manifest("node --test") };
  expect(await ranWith(node, "scripts/release.mjs")).toMatchObject({
    outcome: "not_found",
    why: "It was not run: scripts/release.mjs is not a test file for node:test.",
  });
  expect(await ranWith(node, "test/release.mjs")).toBe("given");
  const named = { "package.json": manifest("node --test ./checks/ 'src/**/*.check.js'") };
  for (const file of ["checks/a.js", "src/a/b.check.js"]) expect(await ranWith(named, file)).toBe("given");
  for (const file of ["check.js", "src/a/b.js"])
    expect(await ranWith(named, file)).toMatchObject({ outcome: "not_found" });
  const python = { "pytest.ini": "[pytest]\npython_files = tests.py\n  check_*_it.py\n" };
  expect(await ranWith(python, "scripts/deploy.py")).toMatchObject({ outcome: "not_found" });
  for (const file of ["shop/tests.py", "shop/check_all_it.py", "test_a.py"])
    expect(await ranWith(python, file)).toBe("given");
});

test("G no pattern tells what is in a file that is not shown, or in a secret", async () => {
  const root = makeDatedFolder({});
  const token = `ghp_${"aB3dE6gH9j".repeat(4).slice(0, 36)}`;
  writeFiles(root, { ".env": "PASSWORD=hunter2\n", id_rsa: "hunter2\n", "conf.ini": `port=80\ntoken=${token}\n` });
  const runner = new CheckRunner({ run: async () => report }, { require: async () => [] }, async () => "tree");
  const { signal } = new AbortController();
  const place = { root, signal, deadlineMs: undefined, report: () => undefined, renew: async () => undefined };
  const outcomeOf = async (path: string, pattern?: string) => {
    const how = { type: "file" as const, path, ...(pattern !== undefined && { pattern }) };
    const ran = await runner.run([{ id: "C-1", criterion: "AC-1", by: "ada", at: "", how }], place);
    return ran.get("C-1")?.outcome;
  };
  for (const path of [".env", "id_rsa", "*", "**"]) expect(await outcomeOf(path, "hunter")).toBe("failed");
  expect(await outcomeOf("conf.ini", "ghp_a")).toBe("failed");
  expect(await outcomeOf("conf.ini", "port=80")).toBe("passed");
  expect(await outcomeOf(".env")).toBe("passed");
});
