import { describe, expect, test } from "vitest";
import { CapturedStream, MemoryApp, run } from "../../../../test/harness/cli.ts";
import type { MemoryWorkbench } from "../../../../test/harness/memory-workbench.ts";

function appWith(change: (desk: MemoryWorkbench) => void): MemoryApp {
  const app = new MemoryApp();
  change(app.workbenchDesk);
  return app;
}

const hostile = "Fix \x1b]0;owned\x07\x1b[2J\r\nauth/evil\tcompleted\u202e it";

describe("lists", () => {
  test.each([
    ["block list", "auth\tactive\t2/3\tAuth\n"],
    ["task list", "auth/Ab12Cd\tpending\tready\tAdd sign-in\n"],
    ["task ready", "auth/Ab12Cd\tpending\tready\tAdd sign-in\n"],
  ])("forge %s is lines with tabs on a pipe", async (line, out) => {
    expect(await run(line)).toMatchObject({ code: 0, out, err: "" });
  });

  test("executions too", async () => {
    const { out } = await run("run list");
    const [id, status, task, , who, name] = out.trimEnd().split("\t");
    expect({ id, status, task, who, name }).toEqual({
      id: "exec_5d0c00000001",
      status: "running",
      task: "auth/Ab12Cd",
      who: "ada/claude-code#1f9c2a70b3de",
      name: "Add sign-in",
    });
  });

  test("a terminal gets a table that fits it, in colours unless they are off", async () => {
    const stdout = new CapturedStream({ isTTY: true, columns: 60 });
    await run("task list", { stdout, env: {} });
    expect(stdout.text).toContain("\x1b[1mTASK");
    expect(stdout.text).toContain("\x1b[32mready");
    const plainly = new CapturedStream({ isTTY: true, columns: 60 });
    await run("task list", { stdout: plainly, env: { NO_COLOR: "1" } });
    expect(plainly.text).not.toContain("\x1b");
  });

  test("--json is what the tool says", async () => {
    expect(JSON.parse((await run("task list --json")).out)).toMatchObject({
      tasks: [{ id: "Ab12Cd", block_id: "auth", ready: true }],
      total: 1,
    });
    expect(JSON.parse((await run("run list --json")).out)).toMatchObject({ executions: [{ status: "running" }] });
    expect(JSON.parse((await run("task ready --json")).out)).toMatchObject({
      ready: { total: 1 },
      waiting: { total: 0 },
    });
  });

  test("filters reach the desk", async () => {
    const { app } = await run("task list token --block Auth --status pending,FAILED --status in-progress --ready -n 5");
    expect(app.workbenchDesk.deeds).toEqual([
      [
        "tasks",
        {
          block_id: "Auth",
          status: ["pending", "failed", "in_progress"],
          ready: true,
          text: "token",
          limit: 5,
          cursor: undefined,
        },
      ],
    ]);
    const blocks = await run("block list auth --status failed");
    expect(blocks.app.workbenchDesk.deeds).toEqual([
      ["blocks", { filter: { status: "failed", search_term: "auth" }, limit: 50, cursor: undefined }],
    ]);
  });

  test.each([
    ["task list --status done", "--status cannot be"],
    ["run list --status done", "--status cannot be"],
    ["block list --status done", "--status cannot be"],
    ["task list --limit 0", "--limit cannot be"],
  ])("forge %s is refused", async (line, message) => {
    const { code, out, err } = await run(line);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(message);
  });

  test("pages follow each other by the command that is told", async () => {
    const app = appWith((desk) => {
      desk.nextCursor = "7";
    });
    const { err } = await run('task list "a token" --block Auth --ready -n 5', { app });
    expect(err).toBe("More: forge task list --block=Auth --ready --limit=5 --cursor=7 -- 'a token'\n");
  });

  test("nothing is said beside nothing", async () => {
    const app = appWith((desk) => {
      desk.shownTasks = [];
      desk.running = [];
      desk.shownBlocks = [];
    });
    expect(await run("task list", { app })).toMatchObject({
      out: "",
      err: expect.stringContaining("forge task create"),
    });
    expect(await run("task ready", { app })).toMatchObject({ out: "", err: "There is nothing to do.\n" });
    expect(await run("run list", { app })).toMatchObject({ out: "", err: expect.stringContaining("forge run start") });
    expect(await run("block list --json", { app })).toMatchObject({ out: expect.stringContaining("[]"), err: "" });
  });

  test("the queue says why others wait", async () => {
    const app = appWith((desk) => {
      const [task] = desk.shownTasks;
      if (!task) throw new Error("no task");
      const waits_for = ["Ab12Cd", "claimed by ada/cursor"];
      desk.shownTasks = [{ ...task, id: "zz", ready: false, waits_for }, task];
    });
    expect((await run("task ready", { app })).out).toBe(
      "auth/Ab12Cd\tpending\tready\tAdd sign-in\nauth/zz\tpending\twaits for Ab12Cd; claimed by ada/cursor\tAdd sign-in\n",
    );
  });

  test("warnings stand beside the data, in the words of commands", async () => {
    const app = appWith((desk) => {
      desk.warnings = ["Correct it with forge_update_task."];
    });
    expect((await run("task list", { app })).err).toBe("warning: Correct it with `forge task edit`.\n");
    expect((await run("task list --json", { app })).err).toBe("");
  });
});

describe("one of them", () => {
  test.each(["task show auth/Ab12Cd", "task show auth Ab12Cd"])("forge %s", async (line) => {
    const { out, app } = await run(line);
    expect(app.workbenchDesk.deeds).toEqual([
      ["task", { block_id: "auth", task_id: "Ab12Cd", include_context: false }],
    ]);
    expect(out).toContain("auth/Ab12Cd  Add sign-in\n");
    expect(out).toContain("Acceptance criteria:\n  -  A token comes back\n");
  });

  test("a block's name may have a slash in it", async () => {
    const { app } = await run('task show "UI/UX/Ab12Cd"');
    expect(app.workbenchDesk.deeds[0]?.[1]).toMatchObject({ block_id: "UI/UX", task_id: "Ab12Cd" });
  });

  test.each(["task show auth", "task show /x", "task show auth/", "run start auth"])(
    "forge %s is refused",
    async (line) => {
      const { code, err } = await run(line);
      expect(code).toBe(1);
      expect(err).toContain("a task is BLOCK/TASK, or BLOCK TASK.");
    },
  );

  test("a block, with its tasks", async () => {
    const { out } = await run("block show Auth");
    expect(out).toContain("auth  Auth\n  Status:     active\n  Done:       2/3\n");
    expect(out).toContain("Tasks:\n  Ab12Cd  pending      Add sign-in\n");
  });

  test("an execution, by the beginning of its id or as the only open one", async () => {
    const { out } = await run("run show 5d0c");
    expect(out).toContain("exec_5d0c00000001  Add sign-in");
    expect(out).toContain("Branch:     task-Ab12Cd-add-sign-in, from main");
    expect(out).toContain("created   src/auth.ts  +3 -0");
    expect((await run("run show")).out).toBe(out);
  });

  test("no execution is open", async () => {
    const app = appWith((desk) => {
      desk.running = [];
    });
    for (const line of ["run show", "run watch", "run diff", "run cancel", "run commit -m x"]) {
      const { code, err } = await run(line, { app });
      expect(code).toBe(1);
      expect(err).toContain("No execution is open.");
    }
  });

  test("C04 what a task or an execution says never reaches a terminal raw", async () => {
    const app = appWith((desk) => {
      desk.shownTasks = desk.shownTasks.map((task) => ({ ...task, name: hostile, id: hostile }));
      desk.shownBlocks = desk.shownBlocks.map((block) => ({ ...block, name: hostile, description: hostile }));
      desk.running = desk.running.map((one) => ({ ...one, task_name: hostile, stage: hostile, branch: hostile }));
      desk.timeline = desk.timeline.map((event) => ({ ...event, message: hostile }));
      desk.files = desk.files.map((file) => ({ ...file, path: hostile }));
      desk.patch += `+${hostile}\n`;
      desk.warnings = [hostile];
      desk.tests = {
        ...desk.tests,
        test_results: { ...desk.tests.test_results, status: "failed" },
        failures: [{ name: hostile, file: hostile, message: hostile }],
        notes: [hostile],
      };
    });
    const lines = ["task list", "task show a/b", "task ready", "block list", "block show a", "run list", "run show"];
    for (const line of [...lines, "run watch", "run test", "run diff --stat", "task create a b", "run start a/b"]) {
      const { out, err } = await run(line, { app });
      expect((out + err).replaceAll(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
    const stdout = new CapturedStream({ isTTY: true, columns: 80 });
    await run("run diff", { app, stdout, env: { NO_COLOR: "1" } });
    expect(stdout.text.replaceAll(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
