import { describe, expect, test } from "vitest";
import { CapturedStream, withoutColours } from "../../../../test/harness/cli/cli.ts";
import { WorkbenchCli } from "../../../../test/harness/rooms/workbench/workbench-cli.ts";

const terminal = () => new CapturedStream({ isTTY: true, columns: 80 });

describe("run start", () => {
  test("prints the id, and beside it where the work is", async () => {
    const cli = new WorkbenchCli();
    const task = await cli.task();
    const { out, err, failsOnSignals } = await cli.run(["run", "start", task]);
    expect(out).toMatch(/^exec_[0-9a-f]{12}\n$/);
    expect(err).toBe(`Started on branch ${cli.git("branch", "--show-current")}, in ${cli.root}\n`);
    expect(failsOnSignals).toBe(true);
    expect(cli.git("branch", "--show-current")).toMatch(/^task-\w+-add-sign-in$/);
    const again = await cli.run(["run", "start", ...task.split("/")]);
    expect(again).toMatchObject({ out, err: expect.stringMatching(/^Resumed on branch task-/) });
  });

  test("takes every option; what is not given is left to the project", async () => {
    const cli = new WorkbenchCli();
    const first = await cli.task("First");
    const second = await cli.task("Second", "--depends-on", first);
    const refused = await cli.run(["run", "start", second]);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain("forge start --resolve-dependencies");
    const options = "--isolation worktree --run-tests --auto-commit --finish branch --resolve-dependencies";
    const started = await cli.run(["run", "start", second, ...options.split(" "), "--rollback-on-failure"]);
    expect(started.err).toContain(`Started ${first}, which has to be done first, on branch task-`);
    expect(cli.git("branch", "--show-current")).toBe("main");
    const { timeline } = await cli.json<{ timeline: { details: { options: string } }[] }>("run show");
    expect(JSON.parse(timeline[0]?.details.options ?? "")).toMatchObject({
      isolation: "worktree",
      run_tests: true,
      auto_commit: true,
      finish: "branch",
      rollback_on_failure: true,
    });
  });

  test("on the current branch, and resumed without tests", async () => {
    const cli = new WorkbenchCli();
    const task = await cli.task();
    const { err } = await cli.run(["run", "start", task, "--no-branch", "--run-tests"]);
    expect(err).toBe(`Started on the current branch, in ${cli.root}\n`);
    await cli.do(["run", "start", task, "--no-run-tests"]);
    cli.put({ "b.txt": "two\n" });
    expect(await cli.do("run commit -m two")).toContain("The task is completed on main.");
  });
});

describe("run list and show", () => {
  test("a line for each on a pipe", async () => {
    const cli = new WorkbenchCli();
    expect(await cli.run("run list")).toMatchObject({
      out: "",
      err: "No executions yet. Start one with `forge run start BLOCK/TASK`.\n",
    });
    const task = await cli.task();
    const id = await cli.do(["run", "start", task]);
    const [first, status, about, , who, name] = (await cli.do("run list")).split("\t");
    expect([first, status, about, name]).toEqual([id, "running", task, "Add sign-in"]);
    // A command does not stay to work on it.
    expect(who).toBe("");
    expect(await cli.json("run list")).toMatchObject({ executions: [{ status: "running" }], total: 1 });
    expect(await cli.run("run list --status failed,CANCELLED")).toMatchObject({ err: "No executions match.\n" });
    expect(await cli.do("run list --block auth --status running")).toContain(id);
    expect(await cli.run("run list --status done")).toMatchObject({
      code: 1,
      err: expect.stringContaining("--status cannot be"),
    });
  });

  test("by the beginning of an id, or the only open one", async () => {
    const cli = new WorkbenchCli();
    const id = await cli.start();
    cli.put({ "b.txt": "1\n2\n3\n" });
    const shown = await cli.do(["run", "show", id.slice(5, 11)]);
    expect(shown).toContain(`${id}  Add sign-in\n`);
    expect(shown).toMatch(/Branch: {5}task-\w+-add-sign-in, from main\n/);
    expect(shown).toContain("created   b.txt  +3 -0");
    expect(await cli.do("run show")).toBe(shown);
    expect(await cli.run("run show zzz")).toMatchObject({
      code: 1,
      err: expect.stringContaining("Run `forge run list` to see all executions."),
    });
  });

  test.each(["run show", "run watch", "run diff", "run cancel", "run commit -m x"])(
    "forge %s without an open execution",
    async (line) => {
      const { code, err } = await new WorkbenchCli().run(line);
      expect(code).toBe(1);
      expect(err).toContain("You have no open execution.");
    },
  );
});

describe("run watch", () => {
  const ended = async (end: string) => {
    const cli = new WorkbenchCli();
    const id = await cli.start();
    cli.put({ "b.txt": "two\n" });
    await cli.do(["run", ...end.split(" ")]);
    return { cli, id };
  };

  test("is a line for each event on a pipe, and a line of JSON for a script", async () => {
    const { cli, id } = await ended("commit -m two");
    const { out, err, code } = await cli.run(["run", "watch", id]);
    expect({ err, code }).toEqual({ err: "", code: 0 });
    const lines = out.trimEnd().split("\n");
    expect(lines.map((line) => line.split("\t")[1])).toEqual(["started", "file", "commit", "merged", "completed"]);
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z\tfile\tcreated b\.txt$/);
    const json = (await cli.do(["run", "watch", id, "--json"])).split("\n").map((line) => JSON.parse(line));
    expect(json.slice(0, 2)).toMatchObject([
      { execution_id: id, seq: 1, kind: "started" },
      { execution_id: id, seq: 2, kind: "file", details: { path: "b.txt" } },
    ]);
  });

  test("says on a terminal how the execution ended, with a status line of which nothing is left", async () => {
    const { cli, id } = await ended("commit -m two");
    const [stdout, stderr] = [terminal(), terminal()];
    await cli.run(["run", "watch", id], { stdout, stderr });
    expect(withoutColours(stdout.text)).toMatch(new RegExp(`file {7}created b\\.txt\n[^]*\n${id} is completed\\.\n$`));
    expect(stderr.text.replaceAll("\r\x1b[K", "")).toBe("");
  });

  test("a cancelled execution has the exit code 1", async () => {
    const { cli, id } = await ended("cancel");
    expect((await cli.run(["run", "watch", id])).code).toBe(1);
  });

  test("stopping it is not a failure", async () => {
    const cli = new WorkbenchCli();
    await cli.start();
    const stop = new AbortController();
    class StoppingStream extends CapturedStream {
      override _write(chunk: unknown, encoding: string, done: () => void): void {
        super._write(chunk, encoding, done);
        stop.abort();
      }
    }
    const stdout = new StoppingStream();
    expect(await cli.run("run watch", { stdout, signal: stop.signal })).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringContaining("\tstarted\t"),
    });
    expect(await cli.json("run show")).toMatchObject({ status: "running" });
  });
});

describe("run commit and cancel", () => {
  test("commit prints what was done, and completes the task", async () => {
    const cli = new WorkbenchCli();
    const id = await cli.start();
    cli.put({ "b.txt": "two\n" });
    expect(await cli.run(["run", "commit", id.slice(5), "-m", "Add b"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Merged into main/),
    });
    expect(cli.git("log", "-1", "--format=%s", "main", "--", "b.txt")).toBe("Add b");
    expect(await cli.json(["run", "show", id])).toMatchObject({ status: "completed" });
  });

  test("only some files, only a commit, and as it is committed", async () => {
    const cli = new WorkbenchCli();
    await cli.start();
    cli.put({ "b.txt": "two\n", "c.txt": "three\n" });
    await cli.do("run commit -m First --file b.txt --no-complete");
    expect(cli.git("log", "-1", "--format=", "--name-only")).toBe("b.txt");
    expect(await cli.json("run show")).toMatchObject({ status: "running" });
    expect(await cli.run("run commit -m x --as-committed")).toMatchObject({
      code: 1,
      err: expect.stringContaining("c.txt. Nothing was done."),
    });
    cli.git("clean", "--quiet", "--force");
    await cli.do("run commit -m x --as-committed");
    expect(cli.git("show", "main:b.txt")).toBe("two");
    expect(cli.git("log", "--format=%s", "main")).not.toContain("x");
  });

  test.each([
    ["run commit", "A commit needs a message"],
    ['run commit -m " "', "A commit needs a message"],
    ["run commit -m x --as-committed --file a.txt", "--as-committed commits nothing more"],
    ["run commit -m x --as-committed --no-complete", "--as-committed commits nothing more"],
  ])("forge %s is refused", async (line, message) => {
    const cli = new WorkbenchCli();
    await cli.start();
    cli.put({ "b.txt": "two\n" });
    expect(await cli.run(line)).toMatchObject({ code: 1, out: "", err: expect.stringContaining(message) });
    expect(cli.git("status", "--porcelain")).toBe("?? b.txt");
  });

  test("from within its own work tree, which is removed", async () => {
    const cli = new WorkbenchCli();
    await cli.do(["create", "Sign-in", "--status", "ready"]);
    const task = await cli.task("Add sign-in", "--ticket", "T-001");
    await cli.do(["run", "start", task, "--isolation", "worktree"]);
    const { root } = await cli.json<{ root: string }>("run show");
    cli.put({ "b.txt": "two\n" }, root);
    const { code, err } = await cli.run(["run", "commit", "-m", "Sign-in", "--project", root]);
    expect([code, err]).toEqual([0, expect.stringContaining("The work tree that you are in was removed.")]);
    expect(cli.text("b.txt")).toBe("two\n");
    expect(await cli.do("show T-001")).toMatch(/merged \w{7} into main, task auth\//);
  });

  test("a task that could not be completed is a failure", async () => {
    const cli = new WorkbenchCli();
    await cli.start("--isolation", "worktree", "--rollback-on-failure");
    const { root } = await cli.json<{ root: string }>("run show");
    cli.put({ "a.txt": "mine\n" }, root);
    cli.put({ "a.txt": "theirs\n" });
    cli.git("commit", "--quiet", "--all", "--message", "theirs");
    const { code, out, err } = await cli.run("run commit -m mine");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("Nothing was merged; the commit is on task-");
    expect(await cli.do("run list --status failed")).toContain("Add sign-in");
  });

  test("cancel prints what was removed and what is kept", async () => {
    const cli = new WorkbenchCli();
    const task = await cli.task();
    const id = await cli.do(["run", "start", task]);
    const branch = cli.git("branch", "--show-current");
    expect((await cli.run("run cancel --reason Later")).out).toBe(
      `${id} is cancelled; ${task} is pending again.\n  removed  branch ${branch}\n`,
    );
    const { timeline } = await cli.json<{ timeline: { message: string }[] }>(["run", "show", id]);
    expect(timeline.at(-1)?.message).toContain("Later");
  });
});
