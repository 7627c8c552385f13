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

test("the demo's assistant finishes a ticket: a failing test, a fix, a merged commit, proof, all of it recorded", () => {
  const { root, run } = makePlace();
  const folder = join(root, "shop");
  const played = run(root, process.execPath, forge, "demo", folder, "--yes", "--exit", "--no-browser", "--port", "0");
  expect(played.stderr).toContain("1 failed");
  expect(played.stderr).toContain("All 5 tests pass");
  expect(played.stderr).toContain("2 of 2 criteria proven");
  expect(played).toMatchObject({ status: 0, stdout: expect.stringContaining("Done.") });

  expect(run(folder, "git", "log", "--format=%s", "main").stdout).toContain("Apply vouchers at checkout");
  expect(run(folder, "git", "status", "--porcelain").stdout).toBe("");
  expect(readFileSync(join(folder, "src/checkout.js"), "utf8")).toContain("Math.max(0,");
  const tests = run(folder, process.execPath, "--test");
  expect(tests.stdout).toContain("pass 5");

  const json = (...args: string[]) => JSON.parse(run(folder, process.execPath, forge, ...args, "--json").stdout);
  const [first, blocked] = [json("show", "T-001"), json("show", "T-002")];
  expect(first).toMatchObject({ status: "COMPLETE", labels: ["checkout"], records: { comments: [{}] } });
  expect(first.proof.map(({ state }: { state: string }) => state)).toEqual(["proven", "proven"]);
  expect(first.unproven).toBeUndefined();
  expect(blocked.dependsOn).toEqual(["T-001"]);
  const { values } = json("governance", "trend", "backend_test_count");
  expect(values.map(({ value }: { value: number }) => value)).toEqual([2, 3, 3, 5]);
  expect(json("governance", "waivers").waivers).toMatchObject([{ rule: "boundary:shop", expired: false }]);
  expect(json("registry", "fork", "diff", "checkout-reviewer")).toMatchObject({ upstreamLatest: "1.1.0" });
  expect(json("memory", "list").memories.length).toBe(4);
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
