import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CompletionService } from "../../src/commons/completion/completion-service.ts";
import { detectRunner } from "../../src/commons/test-runs/project/detect-runner.ts";
import { TestProject } from "../../src/commons/test-runs/project/test-project.ts";
import { isTestFile } from "../../src/commons/test-runs/selection/is-test-file.ts";
import { testingSandbox } from "../harness/commons/testing.ts";

/** Code that the registry installed is not the project's: the user has trusted the project's tests, and not to run that. */

const plugin = ".fractary/plugins/@org/kit";
const manifest = JSON.stringify({ name: "shop", scripts: { test: "node --test test/" } });
const files = {
  "package.json": manifest,
  "src/sum.js": "",
  "test/ok.test.js": 'require("node:test")("ok", () => {});\n',
  // The same words as the project's own script.
  [`${plugin}/package.json`]: manifest,
  [`${plugin}/test/sum.test.js`]: 'require("node:fs").writeFileSync(__dirname + "/ran", "");\n',
};

async function open() {
  const { project, run, trust, environment } = testingSandbox();
  const root = await project(files);
  const hasRun = () => existsSync(join(root, plugin, "test/ran"));
  return { root, run, trust, environment, hasRun };
}

test.each([`${plugin}/test/sum.test.js`, "linked/sum.test.js"])("the tests do not run %s", async (path) => {
  const { root, run, hasRun } = await open();
  symlinkSync(join(root, plugin, "test"), join(root, "linked"));
  expect(await run(root, { scope: "related_to_files", files: [path] })).toMatchObject({ total: 0 });
  expect(await run(root, { scope: "related_to_files", files: [path, "test/ok.test.js"] })).toMatchObject({ total: 1 });
  const project = new TestProject(root);
  const detected = await detectRunner(project);
  expect(detected && (await isTestFile(project, detected, path))).toBe(false);
  expect(detected && (await isTestFile(project, detected, "test/ok.test.js"))).toBe(true);
  expect(hasRun()).toBe(false);
});

test.each([plugin, ".fractary", "linked"])("nor does a check of completion run in %s", async (workingDir) => {
  const { root, trust, environment, hasRun } = await open();
  symlinkSync(join(root, plugin), join(root, "linked"));
  const completion = new CompletionService({ root, trust, environment });
  const asked = { stack: "auto", workingDir, deadlineMs: 60_000, report: () => undefined } as const;
  const { signal } = new AbortController();
  await expect(completion.run({ ...asked, signal })).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  await expect(completion.run({ ...asked, workingDir: ".", signal })).resolves.toMatchObject({ status: "PASS" });
  expect(hasRun()).toBe(false);
});
