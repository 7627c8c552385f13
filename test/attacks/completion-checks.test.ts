import { execFileSync } from "node:child_process";
import { existsSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TrustEditor } from "../../src/commons/trust/trust-editor.ts";
import { Git } from "../../src/platform/git/git.ts";
import { CliProject } from "../harness/cli/cli.ts";
import { type MemoryServerOptions, startMemoryServer } from "../harness/rooms/memory/memory-server.ts";

type Run = { status: string; output: string };

const script = "_bmad/_config/custom/cc-verify.sh";

async function trust(root: string): Promise<void> {
  const editor = new TrustEditor({ git: new Git() });
  await editor.grant(await editor.state(root, new AbortController().signal), "ada");
}

async function trusted(options: MemoryServerOptions) {
  const server = await startMemoryServer(options);
  await trust(server.cwd);
  return server;
}

test("F08 the built-in checks ask again if what configures the tests was changed, as running the tests does", async () => {
  const manifest = JSON.stringify({ scripts: { test: "vitest run" }, devDependencies: { vitest: "*" } });
  const files = {
    "package.json": manifest,
    "vitest.config.mjs": "export default {};\n",
    "setup.py": "",
    "test_a.py": "",
  };
  const { ok, fails, write, cwd } = await trusted({ files });
  await ok<Run>("run_completion_contract", { stack: "python" });
  write("pytest.ini", "[pytest]\naddopts = -p evil\n");
  expect((await fails("run_completion_contract", { stack: "python" })).code).toBe("TRUST_REQUIRED");
  rmSync(join(cwd, "pytest.ini"));
  write("vitest.config.mjs", "export default { evil: true };\n");
  expect((await fails("run_completion_contract", { stack: "typescript" })).code).toBe("TRUST_REQUIRED");
});

test("F08 a folder's own settings are not taken for those of the project", async () => {
  const manifest = JSON.stringify({ scripts: { test: "node --import ./setup.mjs --test" } });
  const own = {
    "package.json": manifest,
    "setup.mjs": "",
    "a.test.js": 'import test from "node:test"; test("F08 a", () => {});',
  };
  const files = Object.entries(own).flatMap(([name, text]) => [
    [name, text],
    [`web/${name}`, name === "setup.mjs" ? 'import { writeFileSync } from "node:fs"; writeFileSync("ran", "");' : text],
    [`plain/${name}`, text],
  ]);
  const { ok, fails, cwd } = await startMemoryServer({ files: Object.fromEntries(files) });
  execFileSync("git", ["init", "--quiet", cwd]);
  await trust(cwd);
  expect((await ok<Run>("run_completion_contract")).status).toBe("PASS");
  const { code, message } = await fails("run_completion_contract", { working_dir: "web" });
  expect([code, message]).toEqual(["PERMISSION_DENIED", expect.stringContaining("web/setup.mjs")]);
  expect(existsSync(join(cwd, "web", "ran"))).toBe(false);
});

test("F08 nor are those of the frontend's folder when its tests are run", async () => {
  const manifest = JSON.stringify({ scripts: { test: "node --import ./setup.mjs --test" } });
  const project = new CliProject({
    "package.json": manifest,
    "setup.mjs": "",
    "a.test.js": 'import test from "node:test"; test("a", () => {});',
    "forge.json": '{"frontend":{"enabled":true,"dir":"web"}}',
    "web/package.json": manifest,
    "web/setup.mjs": 'import { writeFileSync } from "node:fs"; writeFileSync("ran", "");',
    "web/a.test.js": 'import test from "node:test"; test("a", () => {});',
  });
  project.git("init", "--quiet");
  await project.run("trust --yes");
  const { err } = await project.run("governance check --tests");
  expect(err).toContain("The tests in web were not run");
  expect(existsSync(join(project.root, "web", "ran"))).toBe(false);
});

test("F08 it has the limits and the network of the project's tests", async () => {
  const body = 'ulimit -f; readlink /proc/self/ns/net; echo "CC PASS"';
  const settings = { network: "none", limits: { fileMegabytes: 7 } };
  const files = { [script]: `#!/usr/bin/env bash\n${body}\n`, ".forge/workbench.json": JSON.stringify(settings) };
  const { ok } = await trusted({ files });
  const { output } = await ok<Run>("run_completion_contract");
  expect(output).toContain("net:");
  expect(output).not.toContain(readlinkSync("/proc/self/ns/net"));
  expect(output).not.toContain("unlimited");
});
