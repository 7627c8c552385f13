import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../src/platform/exec/run.ts";
import { pinFolder } from "../../src/platform/files/pinned-folders.ts";
import { plainGit, writeFiles } from "../harness/git/git.ts";
import { startTicketServer } from "../harness/rooms/tickets/ticket-server.ts";

test.each(["a link", "another folder"])(
  "D a root that is swapped for %s is not read, and nothing is done there",
  async (kind) => {
    const server = await startTicketServer({ git: true });
    const { cwd } = server;
    writeFiles(cwd, { "a.txt": "mine\n" });
    server.git("add", "-A");
    server.git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "First");
    await server.command("forge_create_block", { name: "Web", block_id: "web" });
    await server.command("forge_create_task", { block_id: "web", task_name: "Greet" });
    const { call } = await server.connect();
    const read = () => call("forge_read_file", { file_path: "a.txt" });
    expect((await read()).structured["content"]).toBe("mine\n");
    const tasks = await call("forge_get_tasks");
    const [task] = tasks.structured["tasks"] as { id: string }[];

    const elsewhere = `${cwd}-elsewhere`;
    mkdirSync(elsewhere);
    writeFiles(elsewhere, { "a.txt": "secret of another project\n" });
    const environment = { PATH: process.env["PATH"] ?? "", HOME: `${cwd}-home` };
    const git = (folder: string, ...args: string[]) =>
      plainGit(folder, ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], environment);
    git(elsewhere, "init", "--quiet", "--initial-branch", "main");
    git(elsewhere, "add", "-A");
    git(elsewhere, "commit", "--quiet", "-m", "Theirs");
    renameSync(cwd, `${cwd}-moved`);
    if (kind === "a link") symlinkSync(elsewhere, cwd);
    else renameSync(elsewhere, cwd);

    for (const [tool, args] of [
      ["forge_read_file", { file_path: "a.txt" }],
      ["forge_search_files", { query: "secret" }],
      ["get_repository_context", {}],
      ["forge_execute_task", { block_id: "web", task_id: task?.id }],
    ] as const) {
      const refused = await call(tool, args);
      expect(refused.isError, tool).toBe(true);
      expect(refused.text, tool).not.toContain("secret of another");
      expect(refused.text, tool).toContain("not the folder that Forge was started in");
    }
    const theirs = kind === "a link" ? elsewhere : cwd;
    expect(git(theirs, "branch", "--format=%(refname:short)").trim()).toBe("main");
  },
);

test("D a project whose .git is gone is not taken for the repository around it", async () => {
  const server = await startTicketServer({ git: true });
  const { cwd } = server;
  writeFiles(cwd, { "a.txt": "mine\n" });
  server.git("add", "-A");
  server.git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "First");
  await server.command("forge_create_block", { name: "Web", block_id: "web" });
  await server.command("forge_create_task", { block_id: "web", task_name: "Greet" });
  const { call } = await server.connect();
  const [task] = (await call("forge_get_tasks")).structured["tasks"] as { id: string }[];
  const outer = join(cwd, "..");
  const environment = { PATH: process.env["PATH"] ?? "", HOME: `${cwd}-home` };
  const git = (...args: string[]) =>
    plainGit(outer, ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], environment);
  git("init", "--quiet", "--initial-branch", "main");
  writeFiles(outer, { "theirs.txt": "x\n" });
  git("add", "theirs.txt");
  git("commit", "--quiet", "-m", "Theirs");
  rmSync(join(cwd, ".git"), { recursive: true });
  for (const [tool, args] of [
    ["forge_list_files", {}],
    ["get_repository_context", {}],
    ["forge_execute_task", { block_id: "web", task_id: task?.id }],
  ] as const) {
    const refused = await call(tool, args);
    expect([tool, refused.isError]).toEqual([tool, true]);
    expect(refused.text, tool).toContain("no longer has a .git");
    expect(refused.text, tool).not.toContain("theirs.txt");
  }
  expect(git("branch", "--format=%(refname:short)").trim()).toBe("main");
});

test("D no program is started in a root that was swapped", async () => {
  const place = mkdtempSync(join(tmpdir(), "forge-root-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const [root, elsewhere] = [join(place, "shop"), join(place, "elsewhere")];
  for (const folder of [root, elsewhere]) mkdirSync(folder);
  onTestFinished(pinFolder(root));
  const start = async () =>
    run("touch", ["mark"], {
      cwd: root,
      env: { PATH: process.env["PATH"] ?? "" },
      signal: new AbortController().signal,
    });
  expect((await start()).code).toBe(0);
  renameSync(root, `${root}-moved`);
  symlinkSync(elsewhere, root);
  await expect(start()).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  expect(existsSync(join(elsewhere, "mark"))).toBe(false);
});
