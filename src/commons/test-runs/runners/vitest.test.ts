import { join } from "node:path";
import { expect, test } from "vitest";
import { installPackages, preparedRunners, testingSandbox } from "../../../../test/harness/commons/testing.ts";
import { exists } from "../../../../test/harness/db/store.ts";
import { testWith } from "../../../../test/harness/faults/faults.ts";

const files = {
  ".gitignore": "node_modules\n",
  "package.json": '{"name":"shop","type":"module","scripts":{"test":"tsc --noEmit && vitest run"}}',
  "src/sum.js": "export const sum = (a, b) => a + b;\n",
  "src/sum.test.js": `import { describe, expect, test } from "vitest";
import { sum } from "./sum.js";
describe("sum", () => {
  test("adds", () => expect(sum(1, 1)).toBe(2));
  test("fails", () => expect(sum(1, 1)).toBe(3));
  test.skip("later", () => {});
  test.todo("some day");
});
`,
  "src/other.test.js": 'import { expect, test } from "vitest";\ntest("other", () => expect(1).toBe(1));\n',
  "src/lone.js": "export const lone = 1;\n",
  "e2e/shop.test.js": 'import { test } from "vitest";\ntest("whole", () => {});\n',
};

async function shop() {
  const sandbox = testingSandbox();
  const root = await sandbox.project(files);
  installPackages(root);
  return { ...sandbox, root };
}

test("counts, failures with their places, and what of the script was left out", async () => {
  const { run, root, reports, runs } = await shop();
  const outcome = await run(root);
  expect(outcome).toMatchObject({
    runner: "vitest",
    status: "failed",
    total: 6,
    passed: 3,
    failed: 1,
    skipped: 2,
    exitCode: 1,
    failures: [
      { name: "sum fails", file: "src/sum.test.js", line: 5, message: expect.stringContaining("expected 2 to be 3") },
    ],
    omittedFailures: 0,
    notes: [expect.stringContaining("Only the `vitest run` part")],
  });
  expect([outcome.command[0], ...outcome.command.slice(3, 5)]).toEqual([
    process.execPath,
    `${root}/node_modules/vitest/vitest.mjs`,
    "run",
  ]);
  expect(reports[0]).toEqual({ done: 0, failed: 0, message: "tests started" });
  expect(await runs.get(outcome.id)).toEqual(outcome);
});

test("related to files, by Vitest itself: a source, a test, something nothing depends on", async () => {
  const { run, root } = await shop();
  expect(await run(root, { scope: "related_to_files", files: ["src/sum.js"] })).toMatchObject({ total: 4, failed: 1 });
  expect(await run(root, { scope: "related_to_files", files: ["src/other.test.js"] })).toMatchObject({
    status: "passed",
    total: 1,
  });
  expect(await run(root, { scope: "related_to_files", files: ["src/lone.js"] })).toMatchObject({
    status: "passed",
    total: 0,
  });
});

test("those that failed until they pass; those of a type", async () => {
  const { run, root } = await shop();
  expect(await run(root, { scope: "failed" })).toMatchObject({ total: 0, command: [] });
  await run(root);
  expect(await run(root, { scope: "failed" })).toMatchObject({ status: "failed", total: 4, failed: 1 });
  expect(await run(root, { types: ["e2e"] })).toMatchObject({
    status: "passed",
    total: 1,
    notes: expect.arrayContaining([expect.stringContaining("e2e/shop.test.js")]),
  });
  // That others passed says nothing of the one that failed.
  expect(await run(root, { scope: "failed" })).toMatchObject({ status: "failed", total: 4, failed: 1 });
  expect(await run(root, { types: ["performance"] })).toMatchObject({ total: 0, command: [] });
});

test("a file that cannot be loaded is a failure; coverage without a provider is left out with a note", async () => {
  const sandbox = testingSandbox();
  const root = await sandbox.project({ "package.json": files["package.json"], "src/broken.test.js": "const x = ;\n" });
  installPackages(root);
  const outcome = await sandbox.run(root, { coverage: true });
  const name = "src/broken.test.js";
  expect(outcome).toMatchObject({ status: "failed", total: 1, failed: 1, failures: [{ name, file: name, line: 1 }] });
  expect(outcome.coverage).toBeUndefined();
  expect(outcome.notes.join()).toContain("@vitest/coverage-v8");
});

test("not installed: says so, and how", async () => {
  const sandbox = testingSandbox();
  const root = await sandbox.project(files);
  await expect(sandbox.run(root)).rejects.toMatchObject({
    code: "DEPENDENCY_ERROR",
    message: expect.stringContaining("vitest is not installed"),
  });
});

testWith(["runners"], "coverage, with the provider that is installed, also where a test fails", async () => {
  const { run, project } = testingSandbox();
  const root = await project({
    ...files,
    "src/sum.js": "export const sum = (a, b) => a + b;\nexport function never() {\n  return 0;\n}\n",
  });
  installPackages(root, preparedRunners);
  const outcome = await run(root, { coverage: true });
  expect(outcome).toMatchObject({ status: "failed", total: 6, failed: 1 });
  expect(outcome.notes.join()).not.toContain("coverage");
  expect(outcome.coverage).toEqual({ lines_covered: 1, total_lines: 2, percentage: 50 });
  expect(exists(join(root, "coverage"))).toBe(false);
  expect((await run(root)).coverage).toBeUndefined();
});
