import { expect, test } from "vitest";
import { testingSandbox } from "../../../../test/harness/commons/testing.ts";

const files = {
  "package.json": '{"name":"shop","scripts":{"test":"node --test --require ./set-up.js test/*.test.js"}}',
  "set-up.js": "globalThis.ready = true;\n",
  "lib/sum.js": "module.exports = (a, b) => a + b;\n",
  "test/sum.test.js": `const { describe, it, test } = require("node:test");
const assert = require("node:assert");
const sum = require("../lib/sum.js");
describe("sum", () => {
  it("adds", () => assert.equal(sum(1, 1), ready ? 2 : 0));
  it("fails", () => {
    assert.equal(sum(1, 1), 3);
  });
  it.skip("later", () => {});
});
test("outer", async (t) => {
  await t.test("inner", () => {});
  await t.test("inner that fails", () => assert.fail("inside"));
});
test("to do", { todo: true }, () => assert.fail());
`,
  "test/other.test.js": 'require("node:test")("other", () => console.log("# tests 1000"));\n',
  "test/deep/not-meant.test.js": "throw new Error();\n",
};

test("Node's own runner: without a test it says so", async () => {
  const { run, project } = testingSandbox();
  const root = await project({ "package.json": '{"scripts":{"test":"node --test"}}' });
  const nothing = [expect.stringContaining("No test ran: the runner found no tests.")];
  expect(await run(root)).toMatchObject({ status: "passed", total: 0, notes: nothing });
  const skipping = { ...files, "test/sum.test.js": "", "test/other.test.js": 'require("node:test").skip("later");\n' };
  const all = await run(await project(skipping, "skipping"), {
    scope: "related_to_files",
    files: ["test/other.test.js"],
  });
  expect(all).toMatchObject({
    total: 1,
    skipped: 1,
    notes: expect.arrayContaining([expect.stringContaining("skipped")]),
  });
});

test("Node's own runner: counts without suites, places, patterns without a shell, options of the script", async () => {
  const { run, project } = testingSandbox();
  const root = await project(files);
  const outcome = await run(root);
  expect(outcome).toMatchObject({
    runner: "node:test",
    status: "failed",
    total: 7,
    passed: 3,
    failed: 2,
    skipped: 2,
    failures: [
      { name: "fails", file: "test/sum.test.js", line: 7, message: expect.stringContaining("2 == 3") },
      { name: "inner that fails", file: "test/sum.test.js", line: 13, message: expect.stringContaining("inside") },
    ],
  });
  expect(outcome.output).toContain("✖ fails");
});

test("related by imports, those that failed, coverage", async () => {
  const { run, project } = testingSandbox();
  const root = await project(files);
  const related = await run(root, { scope: "related_to_files", files: ["lib/sum.js"], coverage: true });
  expect(related).toMatchObject({ total: 6, failed: 2, notes: [expect.stringContaining("test/sum.test.js")] });
  expect(related.coverage?.total_lines).toBeGreaterThan(0);
  expect(await run(root, { scope: "failed" })).toMatchObject({ total: 6, failed: 2 });
  expect(await run(root, { scope: "related_to_files", files: ["test/other.test.js"] })).toMatchObject({
    status: "passed",
    total: 1,
  });
});

test("without a script, by what the tests import; a file that cannot be loaded", async () => {
  const { run, project } = testingSandbox();
  const root = await project({
    "test/sum.test.mjs": 'import test from "node:test";\ntest("adds", () => {});\n',
    "test/broken.test.mjs": "const x = ;\n",
  });
  expect(await run(root)).toMatchObject({
    runner: "node:test",
    total: 2,
    failed: 1,
    failures: [{ name: "test/broken.test.mjs", file: "test/broken.test.mjs" }],
  });
});
