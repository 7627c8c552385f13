import { expect, test } from "vitest";
import {
  configuredTest,
  installPackages,
  makeProgram,
  preparedRunners,
  testingEnvironment,
  testingSandbox,
} from "../../../../test/harness/commons/testing.ts";
import { testWith } from "../../../../test/harness/faults/faults.ts";

const { PATH: searchPath = "" } = testingEnvironment;
const manifest = (script: string, more = {}) => JSON.stringify({ name: "shop", scripts: { test: script }, ...more });
const note = (how: string) => `The test command would watch for changes; ${how}, so the tests ran once.`;
const nodeTest = { "a.test.js": "require('node:test')('passes', () => {});\n" };
const anyTest = "test('passes', () => {});\n";

test("node --test --watch ends after one run, and the result says so", async () => {
  const { run, project } = testingSandbox();
  const root = await project({ ...nodeTest, "package.json": manifest("node --test --watch") });
  expect(await run(root)).toMatchObject({ status: "passed", total: 1, notes: [note("`--watch` was left out")] });
});

test.each([
  ["vitest", [note("`run` was added")]],
  ["vitest watch --watch=true", [note("`run` was added")]],
  ["vitest run", []],
  ["vitest --run", []],
])("%s", async (script, notes) => {
  const { run, project } = testingSandbox();
  const files = { "a.test.mjs": `import { test } from "vitest";\n${anyTest}`, "package.json": manifest(script) };
  const root = await project(files);
  installPackages(root);
  expect(await run(root)).toMatchObject({ runner: "vitest", status: "passed", total: 1, notes });
});

testWith(["runners"], "Jest", async () => {
  const { run, project } = testingSandbox();
  const root = await project({ "a.test.js": anyTest, "package.json": manifest("jest --watchAll=true") });
  installPackages(root, preparedRunners);
  expect(await run(root)).toMatchObject({
    runner: "jest",
    status: "passed",
    notes: [note("`--watchAll=true` was left out")],
  });
});

testWith(["runners"], "Mocha, by its script and by its settings", async () => {
  const { run, project } = testingSandbox();
  const files = { "test/a.js": "it('passes', () => {});\n" };
  const byScript = await project({ ...files, "package.json": manifest("mocha -w") });
  installPackages(byScript, preparedRunners);
  expect(await run(byScript)).toMatchObject({ status: "passed", total: 1, notes: [note("`-w` was left out")] });
  const settings = { ...files, ".mocharc.json": '{"watch": true}', "package.json": manifest("mocha") };
  const bySettings = await project(settings, "settings");
  installPackages(bySettings, preparedRunners);
  expect(await run(bySettings)).toMatchObject({
    status: "passed",
    total: 1,
    notes: [note("`--no-watch` was added")],
  });
});

/** Stands in for a program that watches by default: it ends only where it sees `CI`. */
const watcher = '#!/bin/sh\necho "CI=$CI"\n[ -n "$CI" ] || while :; do sleep 1; done\n';
const other = '#!/bin/sh\necho "CI=$CI"\n';

test.each([
  ["its script would watch", "react-scripts test", watcher, {}, "1", [note("`CI=1` was set for this run")]],
  ["the caller has set CI", "react-scripts test", watcher, { CI: "true" }, "true", []],
  ["it is told not to watch", "react-scripts test --watchAll=false", other, {}, "", []],
])("a configured command: %s", async (_when, script, program, environment, seen, notes) => {
  const { run, project } = testingSandbox({ exactly: { PATH: searchPath, ...environment } });
  const root = await project({ ...configuredTest("npm", "run", "test"), "package.json": manifest(script) });
  makeProgram(`${root}/node_modules/.bin/react-scripts`, program);
  const outcome = await run(root);
  expect(outcome).toMatchObject({ runner: "configured", status: "passed" });
  expect(outcome.output).toContain(`CI=${seen}`);
  expect(outcome.notes.filter((one) => one.includes("watch"))).toEqual(notes);
});
