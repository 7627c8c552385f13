import { describe, expect, test } from "vitest";
import { CapturedStream } from "../../../../test/harness/cli/cli.ts";
import { WorkbenchCli } from "../../../../test/harness/rooms/workbench/workbench-cli.ts";

describe("task list", () => {
  test("is lines with tabs on a pipe and a table on a terminal, in colours unless they are off", async () => {
    const cli = new WorkbenchCli();
    const task = await cli.task();
    expect(await cli.run("task list")).toMatchObject({ out: `${task}\tpending\tready\tAdd sign-in\n`, err: "" });
    const stdout = new CapturedStream({ isTTY: true, columns: 60 });
    await cli.run("task list", { stdout });
    expect(stdout.text).toContain("\x1b[1mTASK");
    expect(stdout.text).toContain("\x1b[32mready");
    const plain = new CapturedStream({ isTTY: true, columns: 60 });
    await cli.run("task list", { stdout: plain, env: { NO_COLOR: "1" } });
    expect(plain.text).not.toContain("\x1b");
    expect(await cli.json("task list")).toMatchObject({
      tasks: [{ block_id: "auth", ready: true, dependencies_status: {} }],
      total: 1,
    });
  });

  test("filters by words, block, statuses in any spelling, and readiness", async () => {
    const cli = new WorkbenchCli();
    const first = await cli.task("Issue a token");
    const second = await cli.task("Check a token", "--depends-on", first);
    await cli.task("Sign out");
    await cli.do(["task", "edit", first, "--status", "failed"]);
    const filter = ["task", "list", "token", "--block", "Auth", "--status", "pending,FAILED", "--status=in-progress"];
    expect(await cli.do(filter)).toBe(
      `${first}\tfailed\tready\tIssue a token\n${second}\tpending\twaits for ${first}\tCheck a token`,
    );
    expect(await cli.do([...filter, "--ready"])).toBe(`${first}\tfailed\tready\tIssue a token`);
    expect(await cli.run("task list token --status completed")).toMatchObject({ out: "", err: "No tasks match.\n" });
    const paged = await cli.run(["task", "list", "a token", "--block", "Auth", "-n", "1"]);
    expect(paged.err).toMatch(/^More: forge task list --block=Auth --limit=1 --cursor=\d+ 'a token'\n$/);
  });

  test.each([
    ["task list --status done", "--status cannot be"],
    ["task list --limit 0", "--limit cannot be"],
    ["task list --cursor x", "The cursor is not valid."],
    ["task list --block Nope", "Run `forge block list` to see all blocks."],
  ])("forge %s is refused", async (line, message) => {
    const { code, out, err } = await new WorkbenchCli().run(line);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(message);
  });

  test("without a task says how to create one", async () => {
    const cli = new WorkbenchCli();
    expect(await cli.run("task list")).toMatchObject({
      out: "",
      err: "No tasks yet. Create one with `forge task create BLOCK NAME`.\n",
    });
    expect(await cli.run("task ready")).toMatchObject({ out: "", err: "No tasks are ready.\n" });
  });

  test("warns of unknown dependencies beside the data, which as JSON contains them", async () => {
    const cli = new WorkbenchCli();
    const task = await cli.task("One", "--depends-on", "Nope");
    const warning = `${task} depends on "Nope", which matches no task or block.`;
    expect((await cli.run("task list")).err).toBe(`warning: ${warning}\n`);
    expect(await cli.run("task list --json")).toMatchObject({ err: "" });
    expect(await cli.json("task list")).toMatchObject({ warnings: [warning] });
  });
});

test("task ready lists what is ready first, and why the others wait", async () => {
  const cli = new WorkbenchCli();
  const first = await cli.task("First");
  const second = await cli.task("Second", "--depends-on", first);
  const third = await cli.task("Third");
  await cli.do(["task", "claim", third, "--worker", "ci"]);
  const { out } = await cli.run("task ready --block Auth");
  expect(out).toMatch(
    new RegExp(
      `^${first}\tpending\tready\tFirst\n${second}\tpending\twaits for ${first}\tSecond\n${third}\tpending\tclaimed by \\S+ci\\S*\tThird\n$`,
    ),
  );
  expect((await cli.run("task ready -n 1")).err).toBe("And 1 more; see them with --limit.\n");
  expect(await cli.json("task ready")).toMatchObject({ ready: { total: 1 }, waiting: { total: 2 } });
});

describe("task show", () => {
  test("by BLOCK/TASK or as two words, also of a block with a slash in its name", async () => {
    const cli = new WorkbenchCli({ "a.ts": "/** Adds. */\nexport const a = 1;\n" });
    const task = await cli.task(
      "Add sign-in",
      "--criterion",
      "A token\nis returned",
      "--file",
      "a.ts",
      "--effort",
      "1 d",
    );
    const [, id = ""] = task.split("/");
    const shown = await cli.do(["task", "show", task]);
    expect(shown).toContain(`${task}  Add sign-in\n  Block:      Auth\n  Status:     pending\n`);
    expect(shown).toContain("Ready:      yes; start it with `forge run start`\n");
    expect(shown).toContain("Acceptance criteria:\n  -  A token\n     is returned\n");
    expect(shown).toContain("Effort:     1 d\n");
    expect(await cli.do(["task", "show", "auth", id])).toBe(shown);
    expect(await cli.do(["task", "show", task, "--context"])).toContain(
      "Files of the repository:\n  -  a.ts  Adds; exports a",
    );
    expect(await cli.json(["task", "show", task])).toMatchObject({ task: { id, name: "Add sign-in" } });
    await cli.do(["block", "create", "UI/UX", "--id", "ui"]);
    const other = await cli.do(["task", "create", "UI/UX", "Draw"]);
    expect(await cli.do(["task", "show", `UI/UX/${other.split("/")[1]}`])).toContain(`${other}  Draw\n`);
  });

  test.each(["task show auth", "task show /x", "task show auth/"])("forge %s is refused", async (line) => {
    expect(await new WorkbenchCli().run(line)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/is not a task: write BLOCK\/TASK\.\n {2}Run `forge task list` to see the tasks\./),
    });
  });

  test("what stands alone after forge start is a ticket", async () => {
    const { code, err } = await new WorkbenchCli().run("run start auth");
    expect([code, err]).toEqual([1, expect.stringContaining("Ticket auth not found")]);
  });
});

describe("task create and edit", () => {
  test("create takes every field and prints the task", async () => {
    const cli = new WorkbenchCli();
    const other = await cli.task("Other");
    const fields = ["--description", "JWT", "--criterion", "One", "--criterion", "Two", "--depends-on", other];
    const more = [
      "--file",
      "src/a.ts",
      "--signature",
      "f()",
      "--test",
      "unit",
      "--effort",
      "2 days",
      "--ticket",
      "T-001",
    ];
    const task = await cli.do(["task", "create", "Auth", "Add sign-in", ...fields, ...more]);
    expect(task).toMatch(/^auth\/\w{6}$/);
    expect(await cli.json(["task", "show", task])).toMatchObject({
      task: {
        name: "Add sign-in",
        description: "JWT",
        acceptance_criteria: ["One", "Two"],
        dependencies: [other],
        files_affected: ["src/a.ts"],
        function_signatures: ["f()"],
        testing_requirements: ["unit"],
        estimated_effort: "2 days",
        ticket_id: "T-001",
      },
    });
  });

  test("edit leaves out what is not given, and an empty text clears a list", async () => {
    const cli = new WorkbenchCli();
    const other = await cli.task("Other");
    const task = await cli.task("One", "--depends-on", other, "--criterion", "Kept", "--ticket", "T-001");
    const edit = ["task", "edit", task, "--name", "Two", "--depends-on", "", "--revision", "1", "--no-ticket"];
    expect(await cli.do(edit)).toBe(`Updated ${task} (pending): Two`);
    const { task: after } = await cli.json<{ task: object }>(["task", "show", task]);
    expect(after).toMatchObject({ name: "Two", dependencies: [], acceptance_criteria: ["Kept"], revision: 2 });
    expect(after).not.toHaveProperty("ticket_id");
    expect(await cli.run(edit)).toMatchObject({ code: 1, err: expect.stringContaining("revision") });
  });

  test.each([
    [["task", "edit", "auth/x"], "Nothing to change was given."],
    [["task", "edit", "auth/x", "--ticket", "T-1", "--no-ticket"], "contradict each other"],
    [["task", "edit", "auth/x", "--status", "done"], "--status cannot be"],
    [["task", "create", "Auth"], "`forge task create` needs NAME"],
    [["task", "create", "Nope", "x"], 'Block "Nope" not found.'],
    [["task", "claim", "auth/x", "--minutes", "481"], "--minutes cannot be"],
  ])("forge %j is refused", async (line, message) => {
    expect(await new WorkbenchCli().run(line)).toMatchObject({ code: 1, err: expect.stringContaining(message) });
  });

  test("a script does not complete a task", async () => {
    const cli = new WorkbenchCli();
    const { code, err } = await cli.run(["task", "edit", await cli.task(), "--status", "completed"]);
    expect(code).toBe(1);
    expect(err).toContain("Only an execution sets a task to completed.");
    expect(err).toContain("Run `forge start BLOCK TASK` to execute it");
    expect(err).toContain("Run `forge task edit BLOCK/TASK --status completed` to set it by hand, on a terminal.");
  });
});

test("task claim and release", async () => {
  const cli = new WorkbenchCli();
  const task = await cli.task();
  expect(await cli.do(["task", "claim", task, "--minutes", "5", "--worker", "ci"])).toMatch(
    new RegExp(`^${task} is claimed by \\S+ until \\d{4}-\\d\\d-\\d\\d `),
  );
  const other = await cli.run(["task", "claim", task, "--worker", "other"]);
  expect(other.err).toMatch(/is claimed by \S+ for another \d minutes?\. Nothing was changed\./);
  expect(other.err).toContain("Run `forge task list --ready` to choose another task.");
  expect(other.err).toContain(`Run \`forge task release ${task}\` to release the claim.`);
  expect(await cli.do(["task", "release", ...task.split("/")])).toBe(`Released ${task}.`);
  expect(await cli.json(["task", "claim", task, "--worker", "ci"])).toMatchObject({ claimed: true, status: "pending" });
});

describe("commands behind a word", () => {
  test.each(["task", "task --help", "help task"])("forge %s lists them", async (line) => {
    const { out, code } = await new WorkbenchCli().run(line);
    expect(code).toBe(0);
    expect(out).toContain("Usage: forge task COMMAND [OPTIONS]");
    expect(out).toContain("forge task ready");
  });

  test("options may come before the word, as elsewhere", async () => {
    const cli = new WorkbenchCli();
    await cli.task();
    const { out } = await cli.run("task list --json");
    expect((await cli.run("task --json list")).out).toBe(out);
    expect((await cli.run("--json task --block Auth list")).out).toBe(out);
  });

  test.each([
    ["task lst", '`forge task` has no command "lst"', "Did you mean `list`?"],
    ["task lst --help", '`forge task` has no command "lst"', "Did you mean `list`?"],
    ["help task lst", '`forge task` has no command "lst"', "Did you mean `list`?"],
    ["task --ready", "--ready needs a command", "forge --help"],
    ["task list --redy", 'Unknown option "--redy" for `forge task list`.', "--ready"],
  ])("forge %s is refused", async (line, message, advice) => {
    const { code, err } = await new WorkbenchCli().run(line);
    expect(code).toBe(1);
    expect(err).toContain(message);
    expect(err).toContain(advice);
  });

  test("help as data lists them", async () => {
    const { commands } = await new WorkbenchCli().json<{ commands: { name: string }[] }>("run");
    expect(commands.map(({ name }) => name)).toEqual(
      ["list", "show", "start", "watch", "diff", "test", "commit", "cancel"].map((word) => `run ${word}`),
    );
  });

  test("help on a terminal fits it", async () => {
    const stdout = new CapturedStream({ isTTY: true, columns: 50 });
    await new WorkbenchCli().run("task --help", { stdout });
    expect(stdout.text).toContain("\x1b[1mCommands:\x1b[22m");
  });
});
