import { expect, test } from "vitest";
import { testingSandbox } from "../../../../test/harness/commons/testing.ts";
import { put } from "../../../../test/harness/commons/trust.ts";

const failing = 'require("node:test")("x", () => { throw new Error("no"); });\n';
const passing = 'require("node:test")("x", () => {});\n';

test("what failed is run again until it has passed, whatever passed in between", async () => {
  const { run, project } = testingSandbox();
  const root = await project({
    "package.json": '{"scripts":{"test":"node --test"}}',
    "x.test.js": failing,
    "y.test.js": 'require("node:test")("y", () => {});\n',
  });
  expect(await run(root)).toMatchObject({ status: "failed", total: 2, included: "all" });
  const related = await run(root, { scope: "related_to_files", files: ["y.test.js"] });
  expect(related).toMatchObject({ status: "passed", total: 1, included: { files: ["y.test.js"], names: [] } });
  await run(root, { types: ["performance"] });
  expect(await run(root, { scope: "failed" })).toMatchObject({ status: "failed", total: 1, failed: 1 });
  put(root, "x.test.js", passing);
  expect(await run(root, { scope: "failed" })).toMatchObject({ status: "passed", total: 1 });
  expect(await run(root, { scope: "failed" })).toMatchObject({ total: 0, command: [] });
});

test("a run of nothing says so, is kept under its id, and is evidence for no tree", async () => {
  const { run, project, runs, trees } = testingSandbox();
  trees.push("aaaa");
  const root = await project({ "package.json": '{"scripts":{"test":"node --test"}}', "x.test.js": passing });
  const nothing = await run(root, { scope: "failed" });
  expect(nothing).toMatchObject({ total: 0, notes: [expect.stringMatching(/^No tests ran\. /)] });
  expect(await runs.get(nothing.id)).toEqual(nothing);
  expect(await runs.latest({ tree: "aaaa" })).toEqual([]);
});
