import { describe, expect, test } from "vitest";
import { CapturedStream, MemoryApp, run } from "../../../../test/harness/cli.ts";
import { ForgeError } from "../../../kernel/errors.ts";

const deedsOf = async (line: string) => (await run(line)).app.workbenchDesk.deeds;

describe("blocks", () => {
  test("create prints the id", async () => {
    expect((await run("block create Auth --description Who --id auth")).out).toBe("auth\n");
    expect(await deedsOf("block create Auth --description Who --id auth")).toEqual([
      ["createBlock", { name: "Auth", description: "Who", block_id: "auth" }],
    ]);
  });

  test("edit changes what is given, and wants something", async () => {
    expect(await deedsOf("block edit Auth --name Login")).toEqual([
      ["editBlock", "Auth", { name: "Login", description: undefined }],
    ]);
    const { code, err, app } = await run("block edit Auth");
    expect({ code, deeds: app.workbenchDesk.deeds }).toEqual({ code: 1, deeds: [] });
    expect(err).toContain("Give --name or --description.");
  });

  test("import reads the project's file, or another", async () => {
    expect(await deedsOf("block import --dry-run")).toEqual([
      ["importBlocks", { other: undefined, statuses: "furthest", dryRun: true }],
    ]);
    expect(await deedsOf("block import /home/ada/shop/blocks_config.json")).toMatchObject([
      ["importBlocks", { other: undefined }],
    ]);
    expect(await deedsOf("block import - --statuses file")).toEqual([
      ["importBlocks", { other: { text: "{}", name: "standard input" }, statuses: "file", dryRun: false }],
    ]);
    const { out } = await run("block import --dry-run");
    expect(out).toBe(
      "Nothing is changed; this would be:\nBlocks: 1 added, 0 updated, 2 unchanged\nTasks: 3 added, 1 updated, 0 unchanged\n",
    );
    expect(JSON.parse((await run("block import --json")).out)).toMatchObject({ dry_run: false, blocks: { added: 1 } });
  });

  test("import says where it looked for the project's file, and what else there is", async () => {
    const app = new MemoryApp();
    app.workbenchDesk.importBlocks = async () => {
      throw new ForgeError("NOT_FOUND", "blocks_config.json does not exist.");
    };
    const { code, err } = await run("block import", { app });
    expect(code).toBe(1);
    expect(err).toContain("There is no blocks_config.json in /home/ada/shop.");
    expect(err).toContain("`forge block import FILE`");
  });

  test("export goes to stdout as it is, to a file that is not there, or to the project's own", async () => {
    expect((await run("block export")).out).toBe("{}\n");
    const app = new MemoryApp();
    expect(await run("block export out.json", { app })).toMatchObject({ code: 0, out: "Written: out.json\n" });
    expect(app.written).toEqual({ "out.json": "{}\n" });
    const again = await run("block export out.json", { app });
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining("--force") });
    expect((await run("block export out.json --force", { app })).code).toBe(0);
    expect(await deedsOf("block export /home/ada/shop/blocks_config.json --force")).toEqual([["exportOwnFile", true]]);
  });
});

describe("tasks", () => {
  test("create gives the desk every field", async () => {
    const line =
      'task create Auth "Add sign-in" --description JWT --criterion One --criterion Two --depends-on a/b --file src/a.ts --signature f() --test unit --effort "2 days" --ticket T-001';
    expect(await deedsOf(line)).toEqual([
      [
        "createTask",
        {
          block_id: "Auth",
          task_name: "Add sign-in",
          description: "JWT",
          acceptance_criteria: ["One", "Two"],
          dependencies: ["a/b"],
          files_affected: ["src/a.ts"],
          function_signatures: ["f()"],
          testing_requirements: ["unit"],
          estimated_effort: "2 days",
          ticket_id: "T-001",
        },
      ],
    ]);
    expect((await run(line)).out).toBe("auth/Ab12Cd\n");
  });

  test("edit leaves out what is not given, and an empty text clears a list", async () => {
    expect(await deedsOf('task edit auth/Ab12Cd --depends-on "" --status pending --revision 3 --no-ticket')).toEqual([
      [
        "updateTask",
        expect.objectContaining({
          block_id: "auth",
          task_id: "Ab12Cd",
          dependencies: [],
          acceptance_criteria: undefined,
          status: "pending",
          ticket_id: null,
          expected_revision: 3,
        }),
      ],
    ]);
  });

  test.each([
    ["task edit auth/Ab12Cd", "was told nothing to change"],
    ["task edit auth/Ab12Cd --ticket T-1 --no-ticket", "contradict each other"],
    ["task edit auth/Ab12Cd --status done", "--status cannot be"],
    ["task create Auth", "`forge task create` needs NAME"],
    ["task claim auth/Ab12Cd --minutes 481", "--minutes cannot be"],
  ])("forge %s is refused before anything is asked", async (line, message) => {
    const { code, err, app } = await run(line);
    expect({ code, deeds: app.workbenchDesk.deeds }).toEqual({ code: 1, deeds: [] });
    expect(err).toContain(message);
  });

  test("claim and release", async () => {
    expect(await deedsOf("task claim auth/Ab12Cd --minutes 5 --worker ci")).toEqual([
      ["claimTask", { block_id: "auth", task_id: "Ab12Cd", minutes: 5, worker: "ci" }],
    ]);
    expect((await run("task claim auth Ab12Cd")).out).toMatch(
      /^auth\/Ab12Cd is claimed by ada\/forge until 2026-11-01/,
    );
    expect((await run("task release auth Ab12Cd")).out).toBe("auth/Ab12Cd is free.\n");
  });
});

describe("errors speak of commands", () => {
  test.each([
    [
      'See the tasks it has: forge_get_tasks with block_id "auth".',
      "See the tasks it has: `forge task list --block auth`.",
    ],
    ["Call forge_execute_task again.", "Run `forge run start` again."],
    ['Pass `options: {isolation: "worktree"}`: so it is.', "Give --isolation worktree: so it is."],
    ["forge_read_file is no command.", "forge_read_file is no command."],
  ])("%s", async (said, meant) => {
    const app = new MemoryApp();
    app.workbenchDesk.tasks = async () => {
      throw new ForgeError("CONFLICT_ERROR", "It cannot be. Expected arguments: block_id, limit.", {
        next: [said],
      });
    };
    const { code, err } = await run("task list", { app });
    expect(code).toBe(1);
    expect(err).toBe(`error: It cannot be.\n  ${meant}\n`);
  });
});

describe("commands behind a word", () => {
  test.each(["task", "task --help", "help task"])("forge %s shows them", async (line) => {
    const { out, code } = await run(line);
    expect(code).toBe(0);
    expect(out).toContain("Usage: forge task COMMAND [OPTIONS]");
    expect(out).toContain("forge task ready");
  });

  test("options may stand before the word, as elsewhere", async () => {
    expect((await run("task --json list")).out).toBe((await run("task list --json")).out);
    expect((await run("--json task --block Auth list")).app.workbenchDesk.deeds).toMatchObject([
      ["tasks", { block_id: "Auth" }],
    ]);
  });

  test.each([
    ["task lst", '`forge task` has no command "lst"', "Did you mean `list`?"],
    ["task lst --help", '`forge task` has no command "lst"', "Did you mean `list`?"],
    ["help task lst", '`forge task` has no command "lst"', "Did you mean `list`?"],
    ["help task list more", "is one too many", "forge help"],
    ["task --ready", "--ready belongs to a command", "forge --help"],
    ["task list --redy", 'Unknown option "--redy" for `forge task list`.', "--ready"],
  ])("forge %s is refused", async (line, message, advice) => {
    const { code, err } = await run(line);
    expect(code).toBe(1);
    expect(err).toContain(message);
    expect(err).toContain(advice);
  });

  test("help as data lists them", async () => {
    const { commands } = JSON.parse((await run("run --json")).out);
    expect(commands.map(({ name }: { name: string }) => name)).toEqual(
      ["list", "show", "start", "watch", "diff", "test", "commit", "cancel"].map((word) => `run ${word}`),
    );
  });

  test.each([
    [
      ["task", ""],
      ["list", "ready", "show", "create", "edit", "claim", "release"],
    ],
    [
      ["task", "re"],
      ["ready", "release"],
    ],
    [["help", "run", "st"], ["start"]],
    [["task", "show", ""], ["auth/Ab12Cd"]],
    [["task", "show", "auth", ""], ["Ab12Cd"]],
    [["task", "show", "auth/Ab12Cd", ""], []],
    [
      ["task", "list", "--block", ""],
      ["auth", "Auth"],
    ],
    [["task", "list", "--status", "pending,f"], ["pending,failed"]],
    [["task", "list", "--status=p"], ["--status=pending"]],
    [
      ["task", "create", ""],
      ["auth", "Auth"],
    ],
    [["task", "create", "Auth", "x", "--depends-on", "auth/"], ["auth/Ab12Cd"]],
    [["run", "show", ""], ["exec_5d0c00000001"]],
    [["run", "test", "--type", "u"], ["unit"]],
    [
      ["run", "start", "--isolation", ""],
      ["none", "worktree"],
    ],
    [["task", "nothing", ""], []],
  ])("Tab after %j offers %j", async (words, offered) => {
    const { out } = await run(["__complete", "--json", "--", ...words]);
    const { candidates } = JSON.parse(out);
    expect(candidates.map(({ value }: { value: string }) => value)).toEqual(offered);
  });

  test("a terminal's help fits it", async () => {
    const stdout = new CapturedStream({ isTTY: true, columns: 50 });
    await run("task --help", { stdout });
    expect(stdout.text).toContain("\x1b[1mCommands:\x1b[22m");
  });
});
