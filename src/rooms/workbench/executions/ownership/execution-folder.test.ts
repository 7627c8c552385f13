import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { copyFolder, replaceByLink } from "../../../../../test/harness/fs/workbench-disk.ts";
import { ada, openRoom, type Room } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import type { Call } from "../../../../kernel/calls/call.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { forgeCancelExecution } from "../../tools/executions/forge-cancel-execution.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";
import { forgeGetExecution } from "../../tools/executions/forge-get-execution.ts";
import { forgeRunTests } from "../../tools/executions/forge-run-tests.ts";
import type { Executions } from "../executions.ts";

type Started = { execution_id: string; root: string; branch_created: string; warnings?: string[]; next?: unknown[] };

async function begin(room: Room, options = {}, name = "One") {
  const task = await room.task({ name });
  const input = { block_id: task.blockId, task_id: task.id, options };
  return { ...(await room.ok<Started>(forgeExecuteTask, input)), input };
}

/** As the tool does it, without the tool. */
const write = defineTool({
  name: "forge_write",
  title: "Write",
  description: "Write.",
  effect: "act",
  input: z.object({ path: z.string(), execution_id: z.string().optional() }),
  output: z.object({}),
  about: () => [],
  async run({ executions }: { executions: Executions }, { path, execution_id }, call: Call) {
    const workspace = await executions.openWorkspace(call, execution_id);
    const execution = await executions.requireWritable(workspace, path, call.signal);
    await workspace.files.write(path, "the task's\n");
    const file = { path, action: "created", linesAdded: 1, linesRemoved: 0, via: "forge" } as const;
    await executions.appendEvents(call, execution, { kind: "file", file });
    return {};
  },
});

const read = defineTool({
  name: "forge_read",
  title: "Read",
  description: "Read.",
  effect: "read",
  input: z.object({ path: z.string(), execution_id: z.string().optional() }),
  output: z.object({ text: z.string() }),
  about: () => [],
  async run({ executions }: { executions: Executions }, { path, execution_id }, call: Call) {
    const { files } = await executions.openWorkspaceOrProject(call, execution_id);
    return { text: (await files.readText(path)).text };
  },
});

async function setRoot(room: Room, root: string): Promise<void> {
  const rows = room.database.forTables<{ execution: { root: string } }>();
  await rows.transaction((tx) => tx.updateTable("execution").set({ root }).execute());
}

test("a copied project does not work in the one it was copied from; there it can only be cancelled", async () => {
  const room = openRoom();
  const { execution_id, branch_created, input } = await begin(room);
  await room.close();
  const project = join(room.sandbox.root, "copy");
  copyFolder(room.project, project);
  const copy = openRoom({ beside: { sandbox: room.sandbox, project } });
  for (const [tool, given] of [
    [write, { path: "a.txt" }],
    [read, { path: "a.txt", execution_id }],
    [forgeCommitChanges, { message: "x" }],
    [forgeExecuteTask, input],
  ] as const) {
    expect(await copy.refused(tool, given)).toMatchObject({
      code: "PERMISSION_DENIED",
      message: expect.stringContaining(room.project),
    });
  }
  expect(await copy.ok(read, { path: "a.txt" })).toEqual({ text: "one\n" });
  expect(await copy.ok(forgeCancelExecution, {})).toMatchObject({ kept: [room.project, expect.anything()] });
  expect(room.git("branch", "--show-current")).toBe(branch_created);
  expect(room.text("a.txt")).toBe("one\n");
});

test("a store that names a folder of the user's gives it to nobody", async () => {
  const room = openRoom();
  const { execution_id } = await begin(room, { isolation: "worktree" });
  const victim = join(room.sandbox.root, "victim");
  room.put({ "private.txt": "private\n" }, victim);
  for (const root of [victim, `${room.project}/.forge/worktrees/../../../victim`]) {
    await setRoot(room, root);
    const refusal = { code: "PERMISSION_DENIED" };
    expect(await room.refused(read, { path: "private.txt", execution_id })).toMatchObject(refusal);
    expect(await room.refused(write, { path: "planted.sh", execution_id })).toMatchObject(refusal);
    expect(await room.refused(forgeCommitChanges, { message: "x", execution_id })).toMatchObject(refusal);
  }
  expect(room.has("planted.sh", victim)).toBe(false);
});

test("a work tree whose folder became a link is not followed by a new server", async () => {
  const room = openRoom();
  const { execution_id, root } = await begin(room, { isolation: "worktree" });
  await room.close();
  const victim = room.sandbox.repository("victim", { "private.txt": "private\n" });
  replaceByLink(dirname(root), basename(root), victim);
  const next = openRoom({ beside: room });
  const refusal = { code: "PERMISSION_DENIED" };
  expect(await next.refused(read, { path: "private.txt", execution_id })).toMatchObject(refusal);
  expect(await next.refused(write, { path: "planted", execution_id })).toMatchObject(refusal);
  await next.ok(forgeCancelExecution, { execution_id });
  expect(room.has("planted", victim)).toBe(false);
  expect(room.text("private.txt", victim)).toBe("private\n");
});

test("in place, what git does not hold is not written over: ignored files, nested repositories, submodules", async () => {
  const room = openRoom({ files: { "a.txt": "one\n", ".gitignore": "*.local\n.env\nbuild/\n" } });
  const inner = room.sandbox.repository("inner", { "s.txt": "s\n" });
  room.git("-c", "protocol.file.allow=always", "submodule", "add", "--quiet", inner, "sub");
  room.git("commit", "--quiet", "--message", "sub");
  copyFolder(inner, join(room.project, "nested"));
  const persons = { ".env": "secret\n", "my.local": "mine\n", "build/out": "mine\n", "sub/s.txt": "mine\n" };
  room.put(persons);
  await begin(room);
  for (const path of [...Object.keys(persons), "nested/s.txt", "nested/new.txt", "sub/new.txt"]) {
    expect(await room.refused(write, { path }), path).toMatchObject({ code: "PERMISSION_DENIED" });
  }
  for (const [name, text] of Object.entries(persons)) expect(room.text(name)).toBe(text);
  // What the task makes itself is its own, also where git ignores it, and however often it is written.
  for (const path of ["task.local", "task.local", "new.txt", "a.txt"]) await room.ok(write, { path });
  expect(room.text("task.local")).toBe("the task's\n");
});

test("in place, ignored files of a person are not committed where the task stops ignoring them", async () => {
  const room = openRoom({ files: { "a.txt": "one\n", ".gitignore": ".env\nbuild/\n" } });
  room.put({ ".env": "secret\n", "build/out": "mine\n" });
  await begin(room);
  room.put({ ".gitignore": "\n", "new.txt": "new\n" });
  expect(await room.refused(write, { path: "build/out" })).toMatchObject({ code: "PERMISSION_DENIED" });
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({
    branch_merged: true,
    files_modified: [".gitignore", "new.txt"],
  });
  expect(room.git("ls-files")).toBe(".gitignore\na.txt\nnew.txt");
  expect(room.text(".env")).toBe("secret\n");
});

test("a work tree's submodules are not written into, filled or not", async () => {
  const room = openRoom();
  const inner = room.sandbox.repository("inner", { "s.txt": "s\n" });
  room.git("-c", "protocol.file.allow=always", "submodule", "add", "--quiet", inner, "sub");
  room.git("commit", "--quiet", "--message", "sub");
  await begin(room, { isolation: "worktree" });
  const refusal = await room.refused(write, { path: "sub/new.txt" });
  expect(refusal).toMatchObject({ code: "PERMISSION_DENIED", details: { repository: "sub" } });
});

test.each(["--assume-unchanged", "--skip-worktree"])("a file hidden from git by %s is the person's", async (flag) => {
  const room = openRoom({ files: { "a.txt": "one\n", "cfg.txt": "default\n" } });
  room.put({ "cfg.txt": "personal\n" });
  room.git("update-index", flag, "cfg.txt");
  await begin(room);
  const refusal = { code: "PERMISSION_DENIED", message: expect.stringContaining("assume-unchanged") };
  expect(await room.refused(write, { path: "cfg.txt" })).toMatchObject(refusal);
  await room.ok(forgeCancelExecution, {});
  const { root, branch_created } = await begin(room, { isolation: "worktree" }, "Apart");
  room.put({ "cfg.txt": "from the task\n" }, root);
  const answer = await room.ok(forgeCommitChanges, { message: "x" });
  expect(answer).toMatchObject({ branch_merged: false, branch_kept: branch_created });
  expect(String(answer["summary"])).toContain("cfg.txt");
  expect(room.text("cfg.txt")).toBe("personal\n");
});

test("a file hidden from git after the task was begun is not written over either", async () => {
  const room = openRoom();
  await begin(room);
  room.put({ "a.txt": "personal\n" });
  room.git("update-index", "--assume-unchanged", "a.txt");
  expect((await room.refused(write, { path: "a.txt" })).message).toContain("assume-unchanged");
});

test("once a person has switched to another branch, nothing is written or tested in their tree", async () => {
  let runs = 0;
  const room = openRoom({
    runTests: async () => {
      runs++;
      throw new Error("not asked for");
    },
  });
  const { execution_id, branch_created } = await begin(room);
  room.git("switch", "--quiet", "main");
  for (const [tool, given] of [
    [write, { path: "a.txt" }],
    [forgeRunTests, {}],
    [forgeRunTests, { execution_id }],
  ] as const) {
    const refusal = await room.refused(tool, given);
    expect(refusal).toMatchObject({ code: "CONFLICT_ERROR", details: { expected: branch_created, found: "main" } });
  }
  expect(runs).toBe(0);
  expect(room.text("a.txt")).toBe("one\n");
});

test("an ignored file that a tool wrote keeps its work tree, and that is said", async () => {
  const room = openRoom({ files: { "a.txt": "one\n", ".gitignore": "*.local\n" } });
  const { root } = await begin(room, { isolation: "worktree" });
  await room.ok(write, { path: "keep.local" });
  room.put({ "a.txt": "two\n", "made.local": "made by a build\n" }, root);
  const answer = await room.ok<{ warnings: string[] }>(forgeCommitChanges, { message: "x" });
  expect(answer).toMatchObject({ branch_merged: true, task_status: "completed" });
  expect(answer.warnings.join()).toContain("keep.local");
  expect(answer.warnings.join()).not.toContain("made.local");
  expect(room.text("keep.local", root)).toBe("the task's\n");
});

test("what cannot be changed any more is said when a task is taken up again", async () => {
  const room = openRoom();
  const { input } = await begin(room);
  const again = { ...input, options: { isolation: "worktree", create_branch: false } };
  const { warnings = [] } = await room.ok<Started>(forgeExecuteTask, again);
  expect(warnings).toEqual([expect.stringContaining("isolation"), expect.stringContaining("create_branch")]);
  expect((await room.ok<Started>(forgeExecuteTask, input)).warnings).toBeUndefined();
});

test("where HEAD is on no branch it is said at once that nothing will be merged, and the branch stays", async () => {
  const room = openRoom();
  room.git("switch", "--quiet", "--detach");
  const { warnings, root, branch_created } = await begin(room, { isolation: "worktree" });
  expect(warnings?.join()).toContain("HEAD is detached");
  room.put({ "new.txt": "new\n" }, root);
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({
    task_status: "completed",
    branch_merged: false,
    branch_kept: branch_created,
  });
});

test("that git does not know the person is said before any work is done", async () => {
  const room = openRoom();
  room.git("config", "user.email", "");
  room.git("config", "user.name", "");
  const { warnings, next } = await begin(room);
  expect(warnings?.join()).toContain("git does not know who the author is");
  expect(next?.join()).toContain("user.email");
  expect(await room.ok(forgeGetExecution, {}, ada)).toMatchObject({ status: "running" });
});
