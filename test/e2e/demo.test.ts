import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { forge } from "../harness/cli/forge-process.ts";
import { makeSandbox } from "../harness/git/git.ts";

function makePlace() {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const env = { ...sandbox.environment, HOME: join(sandbox.root, "home") };
  mkdirSync(env.HOME, { recursive: true });
  const run = (cwd: string, program: string, ...args: string[]) =>
    spawnSync(program, args, { cwd, env, encoding: "utf8" });
  return { root: sandbox.root, run };
}

test("the demo's assistant finishes a ticket: a failing test, a fix, a merged commit, all of it recorded", () => {
  const { root, run } = makePlace();
  const folder = join(root, "shop");
  const played = run(root, process.execPath, forge, "demo", folder, "--yes", "--exit", "--no-browser", "--port", "0");
  expect(played.stderr).toContain("1 failed");
  expect(played.stderr).toContain("All 5 tests pass");
  expect(played).toMatchObject({ status: 0, stdout: expect.stringContaining("Done.") });

  expect(run(folder, "git", "log", "--format=%s", "main").stdout).toContain("Apply vouchers at checkout");
  expect(run(folder, "git", "status", "--porcelain").stdout).toBe("");
  expect(readFileSync(join(folder, "src/voucher.js"), "utf8")).toContain("Math.max(0,");
  const tests = run(folder, process.execPath, "--test");
  expect(tests.stdout).toContain("pass 5");

  const json = (...args: string[]) => JSON.parse(run(folder, process.execPath, forge, ...args, "--json").stdout);
  expect(json("show", "T-001")).toMatchObject({ status: "COMPLETE" });
  const { executions } = json("run", "list");
  expect(executions).toMatchObject([{ status: "completed" }]);
  expect(json("run", "show", executions[0].execution_id).tests).toMatchObject([
    { status: "failed" },
    { status: "passed" },
  ]);
  const statuses = json("list").tickets.map(({ status }: { status: string }) => status);
  expect(new Set(statuses)).toEqual(new Set(["READY", "CREATED", "COMPLETE", "DRAFT"]));
});

test("the demo asks first, and never writes into a folder that has something in it", () => {
  const { root, run } = makePlace();
  const folder = join(root, "work");
  mkdirSync(folder);
  expect(run(root, process.execPath, forge, "demo", folder)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("no terminal to ask on"),
  });
  writeFileSync(join(folder, "mine.txt"), "mine");
  const refused = run(root, process.execPath, forge, "demo", folder, "--yes");
  expect(refused.stderr).toContain("is not empty");
  expect(refused.status).not.toBe(0);
  expect(run(folder, "ls", "-A").stdout).toBe("mine.txt\n");
});
