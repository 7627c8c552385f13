import { expect, test } from "vitest";
import { ProofProject } from "../harness/rooms/proof/proof-project.ts";

const script = [
  'import { readFileSync } from "node:fs";',
  'const { rule } = JSON.parse(readFileSync(".eslintrc.json", "utf8"));',
  'const bad = rule === "off" ? 0 : readFileSync("src/sum.js", "utf8").split("var ").length - 1;',
  "console.log(bad);",
].join("\n");

/** Invariants that a package script and a program measure. */
async function open() {
  const measured = { constraint: "equal", value: 0 };
  return ProofProject.open({
    "Forge/invariants.json": JSON.stringify({
      invariants: [{ name: "lint_errors", ...measured, command: ["npm", "run", "--silent", "count"] }],
    }),
    "package.json": JSON.stringify({
      ...{ name: "shop", type: "module" },
      scripts: { test: "node --test", count: "node scripts/count.mjs" },
    }),
    "scripts/count.mjs": script,
    ".eslintrc.json": '{"rule":"error"}',
    "src/sum.js": "var a = 1;\nexport const sum = (a, b) => a + b;\n",
  });
}

const honest = { "src/sum.js": "export const sum = (a, b) => a + b;\n" };

test.each([
  ["the code is repaired", honest, { state: "proven" }],
  [
    "the script that measures it says something else",
    { "scripts/count.mjs": "console.log(0);\n" },
    { state: "unproven" },
  ],
  ["the settings are switched off", { ".eslintrc.json": '{"rule":"off"}' }, { state: "unproven" }],
])("an invariant that a command measures is proven as that command is: %s", async (_what, changes, expected) => {
  const project = await open();
  const id = await project.ticket("No lint errors");
  await project.do(["check", "add", id, "AC-1", "--invariant", "lint_errors"]);
  await project.change(id, changes);
  await project.run(["verify", id]);
  expect(await project.json(["proof", id])).toMatchObject({ criteria: [expected] });
});

test("a layer is not proven by a file that is too large to be searched", async () => {
  const project = await ProofProject.open({
    "Forge/Contracts/boundaries.json": JSON.stringify({
      layers: [{ name: "code", glob: "src/**", forbidden: ["eval\\("] }],
    }),
    "src/bad.js": "eval('1');\n",
  });
  const id = await project.ticket("No eval");
  await project.do(["check", "add", id, "AC-1", "--invariant", "boundary:code"]);
  await project.change(id, { "src/bad.js": `eval('1');\n//${"x".repeat(4_400_000)}\n` });
  await project.run(["verify", id]);
  expect(await project.json(["proof", id])).toMatchObject({ criteria: [{ state: "failed" }] });
});

test("test numbers of a run that files could take part in which git ignores prove nothing", async () => {
  const project = await ProofProject.open({
    ".gitignore": ".forge/\nlocal.json\n",
    "Forge/invariants.json": "{}",
    "test/sum.test.js": [
      'import assert from "node:assert/strict";',
      'import { existsSync } from "node:fs";',
      'import test from "node:test";',
      'test("adds", () => assert.ok(existsSync("local.json")));',
      "",
    ].join("\n"),
  });
  const id = await project.ticket("All tests pass");
  await project.do(["check", "add", id, "AC-1", "--invariant", "backend_test_failures"]);
  await project.tool("forge_run_tests", {});
  project.write("local.json", "{}");
  await project.change(id, { "README.md": "hello" });
  await project.tool("forge_run_tests", {});
  await project.run(["verify", id]);
  expect(await project.json(["proof", id])).toMatchObject({ criteria: [{ state: "failed" }] });
});

test("a command that changes what it measures proves nothing", async () => {
  const fix = 'import { writeFileSync } from "node:fs"; writeFileSync("src/sum.js", "export {};\\n"); console.log(0);';
  const command = ["npm", "run", "--silent", "count"];
  const project = await ProofProject.open({
    "Forge/invariants.json": JSON.stringify({
      invariants: [{ name: "errors", constraint: "equal", value: 0, command }],
    }),
    "package.json": JSON.stringify({ type: "module", scripts: { count: "node fix.mjs" } }),
    "fix.mjs": fix,
    "src/sum.js": "var a = 1;\n",
  });
  const id = await project.ticket("No errors");
  await project.do(["check", "add", id, "AC-1", "--invariant", "errors"]);
  await project.change(id, { "src/sum.js": "var b = 1;\n" });
  await project.run(["verify", id]);
  const { criteria } = (await project.json(["proof", id])) as unknown as { criteria: { state: string; why: string }[] };
  expect(criteria).toEqual([expect.objectContaining({ state: "failed" })]);
});

test("numbers of tests that the work changed or removed are marked", async () => {
  const failing = 'import test from "node:test";\ntest("fails", () => { throw new Error("It fails."); });\n';
  const project = await ProofProject.open({ "Forge/invariants.json": "{}", "test/sum.test.js": failing });
  const id = await project.ticket("All tests pass");
  await project.do(["check", "add", id, "AC-1", "--invariant", "backend_test_failures"]);
  await project.tool("forge_run_tests", {});
  await project.do(["start", id]);
  project.git("rm", "-q", "test/sum.test.js");
  project.git("commit", "-qm", "Remove it");
  await project.do(["run", "commit", "-m", "Done"]);
  await project.tool("forge_run_tests", {});
  await project.run(["verify", id]);
  const { criteria } = (await project.json(["proof", id])) as unknown as { criteria: { checks: object[] }[] };
  expect(criteria[0]?.checks).toEqual([expect.objectContaining({ changed: true })]);
});
