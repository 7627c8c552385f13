import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { withoutColours } from "../harness/cli/cli.ts";
import { PersonTerminal } from "../harness/cli/person-terminal.ts";
import { eventually } from "../harness/cli/processes.ts";
import { describeWith } from "../harness/faults/faults.ts";
import { makeSandbox, plainGit, type Sandbox, writeFiles } from "../harness/git/git.ts";

const binary = join(import.meta.dirname, "..", "..", "bin", "forge.cjs");

const files = {
  "package.json": '{"type":"module","scripts":{"test":"node --test"}}\n',
  "src/one.js": "export const one = 1;\n",
  "one.test.js": [
    'import assert from "node:assert/strict";',
    'import test from "node:test";',
    'import { one } from "./src/one.js";',
    'test("one is one", () => assert.equal(one, 1));',
    "",
  ].join("\n"),
};

let sandbox: Sandbox;
let project: string;

beforeEach(() => {
  sandbox = makeSandbox();
  project = sandbox.repository("project", files);
  const made = sandbox;
  onTestFinished(() => made.dispose());
});

type Ran = { code: number; out: string; err: string };

function forge(...args: string[]): Promise<Ran> {
  return new Promise((done) => {
    const options = { cwd: project, env: sandbox.environment, timeout: 60_000, maxBuffer: 64 * 1_048_576 };
    const child = execFile(process.execPath, [binary, ...args], options, (_error, out, err) =>
      done({ code: child.exitCode ?? -1, out, err }),
    );
    child.stdin?.end();
  });
}

async function succeeds(...args: string[]): Promise<string> {
  const { code, out, err } = await forge(...args);
  expect({ args, code, err: err.includes("error:") ? err : "" }).toEqual({ args, code: 0, err: "" });
  return out.trimEnd();
}

async function json(...args: string[]) {
  return JSON.parse((await forge(...args, "--json")).out);
}

const onTerminal = (...args: string[]) =>
  new PersonTerminal([process.execPath, binary, ...args], { cwd: project, env: sandbox.environment });

async function trustProject(): Promise<void> {
  const terminal = onTerminal("trust");
  await terminal.until("[y/N]");
  terminal.type("y\n");
  expect(await terminal.exitCode).toBe(0);
}

async function makeTask(name = "Add two", ...more: string[]): Promise<string> {
  const { total } = await json("block", "list");
  if (total === 0) await succeeds("block", "create", "Numbers", "--id", "numbers");
  return succeeds("task", "create", "Numbers", name, ...more);
}

const git = (...args: string[]) => sandbox.git(project, ...args).trim();

describeWith(["script"], "a task from the command line", () => {
  test("from start to merge, each command a process of its own and recorded in the ledger", async () => {
    await trustProject();
    const task = await makeTask("Add two", "--criterion", "Two is two", "--file", "src/two.js");
    const next = await makeTask("Add three", "--depends-on", task);
    expect(await succeeds("task", "ready")).toBe(
      `${task}\tpending\tready\tAdd two\n${next}\tpending\twaits for ${task}\tAdd three`,
    );
    const refused = await forge("run", "start", next);
    expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("--resolve-dependencies") });

    const id = await succeeds("run", "start", task, "--run-tests");
    expect(id).toMatch(/^exec_[0-9a-f]{12}$/);
    expect(git("branch", "--show-current")).toMatch(/^task-.*-add-two$/);
    writeFiles(project, { "src/two.js": "export const two = 2;\n", "src/one.js": "export const one = 2;\n" });

    const failed = await forge("run", "test");
    expect(failed.code).toBe(1);
    expect(failed.err).toMatch(/^Run `forge run test --result=test_\w+` to read the rest/);
    expect(failed.out).toMatch(/^one\.test\.js:\d+ {2}one is one\n/);
    const blocked = await forge("run", "commit", "-m", "Add two");
    expect(blocked.code).toBe(1);
    expect(git("log", "--format=%s", "main")).toBe("first");

    writeFiles(project, { "src/one.js": files["src/one.js"] });
    expect(await succeeds("run", "test", "--scope", "failed")).toContain("tests passed: 1 of 1 passed");
    const { out: patch } = await forge("run", "diff", id.slice(5, 10));
    expect(patch).toContain("+++ b/src/two.js\n@@ -0,0 +1 @@\n+export const two = 2;\n");
    expect(await succeeds("run", "diff", "--stat")).toContain("1 file changed, +1 -0");
    expect(await succeeds("run", "commit", "-m", "One is one again")).toContain("Merged into main");

    expect(git("branch", "--show-current")).toBe("main");
    expect(git("branch", "--format=%(refname:short)")).toBe("main");
    expect(git("log", "-1", "--format=%(trailers:key=Forge-Execution,valueonly)")).toBe(id);
    expect(await json("task", "show", task)).toMatchObject({ task: { status: "completed" } });
    expect(await succeeds("task", "ready")).toBe(`${next}\tpending\tready\tAdd three`);
    expect(await json("run", "show", id)).toMatchObject({
      status: "completed",
      tests: [{ status: "failed" }, { status: "failed" }, { status: "passed" }, { status: "passed" }],
    });
    const entries = await json("log", "--about", `execution:${id}`);
    expect(entries.map(({ kind, name }: Record<string, string>) => `${kind} ${name}`)).toEqual(
      expect.arrayContaining(["command forge start", "command forge run test", "command forge run commit"]),
    );
  });

  test("what someone else changed in the folder is only committed if it is named", async () => {
    const id = await succeeds("run", "start", await makeTask());
    await succeeds("call", "forge_write_file", `execution_id=${id}`, "file_path=src/two.js", "content=export {};");
    writeFiles(project, { "src/one.js": "mine\n" });
    const refused = await forge("run", "commit", "-m", "Add two");
    expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("--file=PATH") });
    expect(refused.err).toContain("src/one.js");
    const { out, code } = await forge("run", "commit", "-m", "Add two", "--file", "src/two.js");
    expect({ out, code }).toMatchObject({ out: expect.stringContaining("Merged into main"), code: 0 });
    expect(git("show", "--format=", "--name-only", "main")).toBe("src/two.js");
    expect(git("status", "--porcelain")).toBe("M src/one.js");
    expect(readFileSync(join(project, "src/one.js"), "utf8")).toBe("mine\n");
  });

  test("git accepts the patch on a pipe", async () => {
    await succeeds("run", "start", await makeTask());
    writeFiles(project, { "src/two.js": "export const two = 2;\nno end", "with space.txt": "ä\t\x1b[31m\r\n" });
    const { out } = await forge("run", "diff");
    const clean = sandbox.repository("clean", files);
    plainGit(clean, ["apply"], sandbox.environment, out);
    expect(readFileSync(join(clean, "src/two.js"), "utf8")).toBe("export const two = 2;\nno end");
    expect(readFileSync(join(clean, "with space.txt"), "utf8")).toBe("ä\t\x1b[31m\r\n");
  });

  test("several executions are distinguished by the beginning of their ids", async () => {
    const ids: string[] = [];
    for (const name of ["First", "Second"])
      ids.push(await succeeds("run", "start", await makeTask(name), "--isolation", "worktree"));
    const unclear = await forge("run", "cancel");
    expect(unclear).toMatchObject({ code: 1, err: expect.stringContaining("2 executions are open") });
    for (const id of ids) expect(unclear.err).toContain(id);
    const both = await forge("run", "show", "exec_");
    expect(both).toMatchObject({ code: 1, err: expect.stringContaining("Several executions begin with") });
    const none = await forge("run", "show", "zzz");
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining("forge run list") });
    const [first = "", second = ""] = ids;
    const { root } = await json("run", "show", first.slice(5, 14));
    writeFileSync(join(root, "kept.txt"), "mine");
    const cancelled = await succeeds("run", "cancel", first.slice(5, 14), "--reason", "Later");
    expect(cancelled).toContain("kept     ");
    expect(existsSync(join(root, "kept.txt"))).toBe(true);
    expect(await succeeds("run", "cancel")).toContain(`${second} is cancelled`);
    expect(await json("run", "list", "--status", "running")).toMatchObject({ total: 0 });
  });

  test("only a user on a terminal sets a status", async () => {
    const task = await makeTask();
    const script = await forge("task", "edit", task, "--status", "completed");
    expect(script).toMatchObject({ code: 1, err: expect.stringContaining("on a terminal") });
    const terminal = onTerminal("task", "edit", task, "--status", "completed");
    expect(await terminal.exitCode).toBe(0);
    expect(await json("task", "show", task)).toMatchObject({ task: { status: "completed" } });
  });

  test("a claim from a terminal keeps others from the task", async () => {
    const task = await makeTask();
    expect(await onTerminal("task", "claim", task).exitCode).toBe(0);
    expect(await succeeds("task", "ready")).toContain("claimed by ");
    const other = await forge("run", "start", task);
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining("is claimed by") });
    expect(await onTerminal("task", "release", task).exitCode).toBe(0);
    await succeeds("run", "start", task);
  });

  test("blocks are exported to a file and imported again; a dry run changes nothing", async () => {
    await makeTask();
    await succeeds("block", "export", "blocks_config.json");
    const text = readFileSync(join(project, "blocks_config.json"), "utf8");
    expect((await forge("block", "export")).out).toBe(text);
    writeFileSync(join(project, "blocks_config.json"), text.replace("Add two", "Add five"));
    expect((await forge("task", "list")).err).toContain("was changed after it was imported");
    expect(await forge("block", "export", "blocks_config.json")).toMatchObject({
      code: 1,
      err: expect.stringContaining("--force"),
    });
    expect(await succeeds("block", "import", "--dry-run")).toContain("Tasks: 0 added, 1 updated, 0 unchanged");
    expect(await succeeds("task", "list")).toContain("Add two");
    expect(await json("block", "import")).toMatchObject({ dry_run: false, tasks: { updated: 1 } });
    expect(await succeeds("task", "list")).toContain("Add five");
  });

  test("watch prints a line for each event on a pipe, live, and ends with the execution", async () => {
    const id = await succeeds("run", "start", await makeTask());
    const watcher = spawn(process.execPath, [binary, "run", "watch", "--json"], {
      cwd: project,
      env: sandbox.environment,
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void watcher.kill("SIGKILL"));
    const ended = once(watcher, "close");
    let seen = "";
    watcher.stdout.setEncoding("utf8").on("data", (chunk: string) => (seen += chunk));
    const kinds = () =>
      seen
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line).kind);
    await eventually("what has happened", () => kinds().includes("started"));
    writeFiles(project, { "src/two.js": "export const two = 2;\n" });
    await eventually("a file that was written by hand", () => kinds().includes("file"));
    await succeeds("run", "commit", id, "-m", "Add two");
    expect(await ended).toEqual([0, null]);
    expect(kinds()).toEqual(["started", "file", "commit", "merged", "completed"]);
  });

  test("watch on a terminal shows the status until the end, and leaves the terminal as it was", async () => {
    await succeeds("run", "start", await makeTask("日本語 two"));
    const terminal = onTerminal("run", "watch");
    await terminal.until("started on task-");
    await terminal.until("implementing, 0:");
    writeFiles(project, { "src/two\x1b[31m.js": "export const two = 2;\n" });
    await terminal.until("created src/two\\x1b[31m.js");
    await terminal.until("implementing, 1 file, ");
    await succeeds("run", "commit", "-m", "Add two");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.isAsFound).toBe(true);
    const lines = terminal.output.split("\r\n").map((line) => line.slice(line.lastIndexOf("\x1b[K") + 1));
    expect(lines.join("\n")).toContain("merged into main");
    expect(lines.filter((line) => line.includes("implementing"))).toEqual([]);
    expect(withoutColours(terminal.output)).toContain("is completed.");
  });

  test("Ctrl+C ends the watching, not the work", async () => {
    const id = await succeeds("run", "start", await makeTask());
    const terminal = onTerminal("run", "watch");
    await terminal.until("implementing, 0:");
    terminal.type("\x03");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.output).not.toContain("error:");
    expect(terminal.isAsFound).toBe(true);
    expect(await json("run", "show", id)).toMatchObject({ status: "running" });
  });
});
