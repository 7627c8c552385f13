import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WorkbenchCli } from "../../../../test/harness/rooms/workbench/workbench-cli.ts";

describe("block list", () => {
  test("is lines with tabs on a pipe, in board order, with the progress of each", async () => {
    const cli = new WorkbenchCli();
    await cli.task("One");
    await cli.task("Two");
    await cli.do("block create Other --id other");
    expect(await cli.run("block list")).toMatchObject({
      code: 0,
      out: "auth\tactive\t0/2\tAuth\nother\tactive\t0/0\tOther\n",
      err: "",
    });
    expect(await cli.json("block list")).toMatchObject({ blocks: [{ id: "auth" }, { id: "other" }], total: 2 });
  });

  test("filters by words and status, and pages", async () => {
    const cli = new WorkbenchCli();
    for (const name of ["Auth", "Author", "Other"]) await cli.do(`block create ${name} --id ${name.toLowerCase()}`);
    expect((await cli.run("block list auth --status active")).out).toBe(
      "auth\tactive\t0/0\tAuth\nauthor\tactive\t0/0\tAuthor\n",
    );
    expect(await cli.run("block list auth --status failed")).toMatchObject({ out: "", err: "No matching blocks.\n" });
    const { out, err } = await cli.run("block list auth -n 1");
    expect(out).toBe("auth\tactive\t0/0\tAuth\n");
    const [, next = ""] = /^More: forge (.+)\n$/.exec(err) ?? [];
    expect(next).toMatch(/^block list --limit=1 --cursor=\d+ auth$/);
    expect(await cli.do(next)).toBe("author\tactive\t0/0\tAuthor");
  });

  test("without a block says how to create one", async () => {
    const cli = new WorkbenchCli();
    expect(await cli.run("block list")).toMatchObject({
      out: "",
      err: "No blocks yet. Create one with `forge block create NAME`.\n",
    });
    expect(await cli.run("block list --json")).toMatchObject({ out: expect.stringContaining("[]"), err: "" });
    expect(await cli.run("block list --status done")).toMatchObject({
      code: 1,
      err: expect.stringContaining("--status cannot be"),
    });
  });
});

describe("block show, create and edit", () => {
  test("create prints the id, and show has everything", async () => {
    const cli = new WorkbenchCli();
    expect(await cli.do(["block", "create", "Auth", "--description", "Who is who", "--id", "auth"])).toBe("auth");
    const task = await cli.task();
    const shown = await cli.do("block show Auth");
    expect(shown).toContain("auth  Auth\n  Status:     active\n  Done:       0/1\n");
    expect(shown).toContain("Description:\n  Who is who\n");
    expect(shown).toContain(`Tasks:\n  ${task.slice("auth/".length)}  pending      Add sign-in`);
    expect(await cli.json("block show auth")).toMatchObject({
      id: "auth",
      connections: { input_connections: [], output_connections: [] },
      tasks: [{ name: "Add sign-in" }],
    });
    expect(await cli.run("block create Auth")).toMatchObject({
      code: 1,
      err: expect.stringContaining("`forge task create auth NAME`"),
    });
  });

  test("edit changes what is given, and needs something", async () => {
    const cli = new WorkbenchCli();
    await cli.task();
    expect(await cli.do("block edit Auth --name Login")).toBe("Updated auth: Login");
    expect(await cli.json("block edit Login --description New")).toEqual({
      block_id: "auth",
      name: "Login",
      revision: 3,
    });
    expect(await cli.run("block edit Login")).toMatchObject({
      code: 1,
      err: "error: Nothing to change was given.\n  Give a new name or a new description.\n",
    });
    expect(await cli.run("block show Auth")).toMatchObject({
      code: 1,
      err: 'error: Block "Auth" not found.\n  Did you mean `auth`?\n  Run `forge block list` to see all blocks.\n',
    });
    const { out } = await cli.run("log --json");
    expect(JSON.parse(out)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: "command", name: "forge block edit", about: ["block:auth"] }),
        expect.objectContaining({ kind: "command", name: "forge block show" }),
      ]),
    );
  });
});

describe("block import and export", () => {
  const text = (name: string) =>
    JSON.stringify([{ name: "Auth", block_id: "auth", todo_list: { t1: { task_id: "t1", task_name: name } } }]);

  test("import reads the project's file again, another, or standard input", async () => {
    const cli = new WorkbenchCli({ "blocks_config.json": text("One") });
    expect(await cli.do("task list")).toBe("auth/t1\tpending\tready\tOne");
    cli.put({ "blocks_config.json": text("Two"), "plan.json": text("Three") });
    const warned = await cli.run("task list");
    expect(warned.err).toBe(
      "warning: blocks_config.json was changed after it was imported.\nRun `forge block import` to import it again.\n",
    );
    expect((await cli.run("task list --json")).err).toBe("");
    expect(await cli.do("block import --dry-run")).toBe(
      "Nothing was changed. This would be the result:\nBlocks: 0 added, 0 updated, 1 unchanged\nTasks: 0 added, 1 updated, 0 unchanged",
    );
    expect(await cli.do("task list")).toContain("One");
    expect(await cli.json(["block", "import", join(cli.root, "blocks_config.json")])).toMatchObject({
      dry_run: false,
      tasks: { updated: 1 },
      kept: [],
    });
    expect(await cli.do(["block", "import", join(cli.root, "plan.json"), "--statuses", "file"])).toContain(
      "Tasks: 0 added, 1 updated",
    );
    expect(await cli.do("task list")).toContain("Three");
    const withInput = { files: { read: async () => text("Four"), write: async () => {} } };
    await cli.do("block import -", { with: () => withInput });
    expect(await cli.do("task list")).toContain("Four");
  });

  test("import says what is wrong, and imports nothing", async () => {
    const cli = new WorkbenchCli();
    expect(await cli.run("block import")).toMatchObject({
      code: 1,
      err: `error: ${join(cli.root, "blocks_config.json")} does not exist.\n  Run \`forge block import FILE\` to import another file.\n  Run \`forge block export blocks_config.json\` to write the board to it.\n`,
    });
    cli.put({ "plan.json": "[{}]" });
    const { err } = await cli.run(["block", "import", join(cli.root, "plan.json")]);
    expect(err).toMatch(/^error: .*plan\.json, line 1, block 1: it has no name\. .*Nothing was imported\./);
  });

  test("export goes to stdout, to a new file, or to the project's own", async () => {
    const cli = new WorkbenchCli();
    await cli.task();
    const { out } = await cli.run("block export");
    expect(JSON.parse(out)).toMatchObject([{ name: "Auth", block_id: "auth" }]);
    expect((await cli.run("block export --json")).out).toBe(`${out.trimEnd()}\n`);
    const file = join(cli.root, "out.json");
    expect(await cli.do(["block", "export", file])).toBe(`Wrote ${file}`);
    expect(cli.text("out.json")).toBe(out);
    expect(await cli.run(["block", "export", file])).toMatchObject({
      code: 1,
      err: `error: ${file} already exists.\n  Choose another name, or use --force to replace it.\n`,
    });
    expect(await cli.json(["block", "export", file, "--force"])).toEqual({ path: file });
    const own = join(cli.root, "blocks_config.json");
    expect(await cli.do(["block", "export", own])).toBe("Wrote blocks_config.json (1 block, 1 task)");
    expect(cli.text("blocks_config.json")).toBe(out);
    cli.put({ "blocks_config.json": text("Changed") });
    expect(await cli.run(["block", "export", own])).toMatchObject({
      code: 1,
      err: expect.stringContaining("Run `forge block export blocks_config.json --force` to replace the file."),
    });
    expect(await cli.json(["block", "export", own, "--force"])).toEqual({
      path: "blocks_config.json",
      blocks: 1,
      tasks: 1,
    });
  });
});
