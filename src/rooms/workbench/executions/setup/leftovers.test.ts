import { expect, test } from "vitest";
import { describeOnEngines } from "../../../../../test/harness/db/store.ts";
import { setMode } from "../../../../../test/harness/fs/workbench-disk.ts";
import { openRoom, type Room } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import type { Place } from "../../../../platform/db/types.ts";
import { forgeCancelExecution } from "../../tools/executions/forge-cancel-execution.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";
import { forgeGetExecution } from "../../tools/executions/forge-get-execution.ts";
import { describeSetupLeftovers } from "./leftovers.ts";

const files = { "a.txt": "one\n", "lock.json": "{}\n", "old.txt": "old\n" };

/** What it leaves: a file changed, one gone, new ones in a folder, a program and a link. */
const leaving = [
  "fs.writeFileSync('lock.json', '{1}\\n')",
  "fs.rmSync('old.txt')",
  "fs.mkdirSync('made')",
  "for (let i = 0; i < 300; i++) fs.writeFileSync('made/' + i, String(i))",
  "fs.writeFileSync('run.sh', '', { mode: 0o755 })",
  "fs.symlinkSync('a.txt', 'link')",
];

async function openWith(script: string, place?: Place): Promise<{ room: Room; input: Record<string, unknown> }> {
  const room = openRoom({ files, ...(place && { place }) });
  const task = await room.task();
  room.put({ ".forge/workbench.json": JSON.stringify({ setupCommand: ["node", "-e", script] }) });
  await room.trustAll();
  return { room, input: { block_id: task.blockId, task_id: task.id, options: { isolation: "worktree" } } };
}

async function beginWith(place?: Place) {
  const { room, input } = await openWith(leaving.join("; "), place);
  const started = await room.ok(forgeExecuteTask, input);
  return { room, root: String(started["root"]), branch: String(started["branch_created"]), started };
}

const all = { message: "x" };
const workTrees = (room: Room) => room.git("worktree", "list", "--porcelain").match(/^worktree /gm);

describeOnEngines("leftovers", (engine) => {
  test("what the set-up command left is told of, stays out of the commit, and goes with the work tree", async () => {
    const { room, root, started } = await beginWith(await engine.fresh());
    expect(started["warnings"]).toEqual([
      expect.stringMatching(/left link, lock\.json, made\/0, .* and 284 more, which/),
    ]);
    room.put({ "a.txt": "two\n", "made/mine.txt": "work\n" }, root);
    const answer = await room.ok(forgeCommitChanges, all);
    expect(answer).toMatchObject({ files_modified: ["a.txt", "made/mine.txt"], branch_merged: true });
    expect(answer["warnings"]).toEqual([expect.stringContaining("because the set-up command created it")]);
    expect(answer["actions_performed"]).toMatchObject([
      { path: "a.txt" },
      { path: "made/mine.txt" },
      { type: "committed" },
      { type: "merged" },
    ]);
    expect(room.has(".", root)).toBe(false);
    expect(room.git("ls-tree", "-r", "--name-only", "main")).toBe("a.txt\nlock.json\nmade/mine.txt\nold.txt");
    expect(room.git("show", "main:lock.json")).toBe("{}");
  });
});

test("what the work changed of it is committed, and what is named", async () => {
  const { room, root } = await beginWith();
  room.put({ "made/7": "changed\n", "old.txt": "back again\n" }, root);
  setMode(root, "run.sh", 0o644);
  const first = await room.ok(forgeCommitChanges, { ...all, complete: false });
  expect(first).toMatchObject({ files_modified: ["made/7", "old.txt", "run.sh"] });
  expect(await room.ok(forgeCommitChanges, { ...all, files: ["made/8", "link"] })).toMatchObject({
    files_modified: ["link", "made/8"],
    branch_merged: true,
  });
  expect(room.has(".", root)).toBe(false);
});

test("with nothing but that in it there is nothing to commit", async () => {
  const { room } = await beginWith();
  const { message, next } = await room.refused(forgeCommitChanges, all);
  expect(message).toMatch(/except what the set-up command left behind \(link, .*\), so there is nothing to commit/);
  expect(next?.[0]).toMatchObject({ tool: "forge_commit_changes", input: { files: ["PATH"] } });
});

test("cancelling takes it away with the work tree", async () => {
  const { room, root } = await beginWith();
  const { removed, kept } = await room.ok<{ removed: string[]; kept: string[] }>(forgeCancelExecution, {});
  expect({ removed: removed.length, kept }).toEqual({ removed: 2, kept: [] });
  expect(room.has(".", root)).toBe(false);
  expect(room.git("branch", "--format=%(refname:short)")).toBe("main");
});

test.each([
  ["changed", "made/7"],
  ["new", "made/mine.txt"],
  ["changed, tracked before", "lock.json"],
])("but not where there is work in it (%s)", async (_what, name) => {
  const { room, root, branch } = await beginWith();
  room.put({ [name]: "work\n" }, root);
  const { kept } = await room.ok<{ kept: string[] }>(forgeCancelExecution, {});
  expect(kept).toEqual([root, expect.stringContaining(`branch ${branch}: its work tree`)]);
  expect(kept[1]).toContain(`1 uncommitted: ${name}`);
  expect(room.text(name, root)).toBe("work\n");
});

test("nor where the index has more than the file", async () => {
  const { room, root } = await beginWith();
  room.put({ "made/7": "work\n" }, root);
  room.gitIn(root, "add", "made/7");
  room.put({ "made/7": "7" }, root);
  const { kept } = await room.ok<{ kept: string[] }>(forgeCancelExecution, {});
  expect(kept[1]).toContain("1 uncommitted: made/7");
  expect(room.gitIn(root, "show", ":made/7")).toBe("work");
});

const shell = (command: string) => `child_process.execSync(${JSON.stringify(command)}, { stdio: 'ignore' })`;

/** A set-up that fills a submodule, clones another repository, and stages a rename and a new file. */
async function beginFilling() {
  const { room, input } = await openWith("");
  const library = room.sandbox.repository("library", { "lib.txt": "lib\n" });
  const fromDisk = ["-c", "protocol.file.allow=always"];
  room.git(...fromDisk, "submodule", "--quiet", "add", library, "sub");
  room.git("commit", "--quiet", "--message", "sub");
  const script = [
    shell(`git ${fromDisk.join(" ")} submodule update --init`),
    shell(`git clone ${library} made/clone`),
    shell("git mv old.txt older.txt"),
    "fs.writeFileSync('staged.txt', 'staged')",
    shell("git add staged.txt"),
  ];
  room.put({ ".forge/workbench.json": JSON.stringify({ setupCommand: ["node", "-e", script.join("; ")] }) });
  await room.trustAll();
  const { root } = await room.ok<{ root: string }>(forgeExecuteTask, input);
  expect(room.has("sub/lib.txt", root) && room.has("made/clone/lib.txt", root)).toBe(true);
  return { room, root };
}

test("submodules, repositories and what is staged go with the work tree as the set-up left them", async () => {
  const { room, root } = await beginFilling();
  room.put({ "a.txt": "two\n" }, root);
  const answer = await room.ok(forgeCommitChanges, all);
  expect(answer).toMatchObject({ files_modified: ["a.txt"], branch_merged: true, branch_deleted: true });
  expect(workTrees(room)).toHaveLength(1);
  expect(room.git("ls-tree", "-r", "--name-only", "main")).toBe(".gitmodules\na.txt\nlock.json\nold.txt\nsub");
});

test("but not where anything was done in them, and it says how they are removed then", async () => {
  const { room, root } = await beginFilling();
  room.put({ "sub/lib.txt": "work\n" }, root);
  room.gitIn(`${root}/made/clone`, "commit", "--quiet", "--allow-empty", "--message", "work");
  room.put({ "staged.txt": "work\n" }, root);
  const { kept } = await room.ok<{ kept: string[] }>(forgeCancelExecution, {});
  expect(kept[1]).toContain("2 uncommitted: staged.txt, made/clone/; submodules with files in them: sub. ");
  expect(kept[1]).toContain(`\`git -C ${root} status --ignored\` shows what is in it`);
  expect(room.text("sub/lib.txt", root)).toBe("work\n");
});

test("what it commits itself is merged with the task, and that is said", async () => {
  const committing = ["fs.writeFileSync('gen.txt', 'x')", shell("git add gen.txt && git commit --message gen")];
  const { room, input } = await openWith(committing.join("; "));
  // A set-up command runs with the user's own home folder, where git may have no name to commit with.
  room.git("config", "user.name", "Ada");
  room.git("config", "user.email", "ada@example.org");
  const { warnings } = await room.ok<{ warnings: string[] }>(forgeExecuteTask, input);
  expect(warnings).toEqual([expect.stringContaining("committed gen.txt to the task's branch, so it will be merged")]);
});

test("more than is committed at once is said when the task is begun", () => {
  const left = { paths: ["made/0"], total: 20_001, unknown: 1, marks: [], committed: [] };
  expect(describeSetupLeftovers(left)).toEqual([
    expect.stringMatching(/left 20001 files .* add generated files to \.gitignore before you commit/),
  ]);
});

test("another server on the project knows it as well", async () => {
  const { room, root } = await beginWith();
  const { execution_id } = await room.ok(forgeGetExecution, {});
  await room.close();
  const next = openRoom({ beside: room });
  next.put({ "a.txt": "two\n" }, root);
  expect(await next.ok(forgeCommitChanges, { ...all, execution_id })).toMatchObject({ files_modified: ["a.txt"] });
  expect(next.has(".", root)).toBe(false);
});

test("a set-up that fails is cleared away with what it had made", async () => {
  const { room, input } = await openWith(`${leaving.join("; ")}; process.exit(3)`);
  const refusal = await room.refused(forgeExecuteTask, input);
  expect(refusal.message).toContain("Its branch and work tree were removed.");
  expect(refusal).toMatchObject({
    code: "DEPENDENCY_ERROR",
    details: { kept: [], removed: [expect.any(String), expect.any(String)] },
  });
  expect(workTrees(room)).toHaveLength(1);
  expect(room.git("branch", "--format=%(refname:short)")).toBe("main");
});

test("where something would be lost with it, it says what was kept, and where", async () => {
  const merging =
    "fs.writeFileSync('a.txt', 'x'); child_process.execSync('git update-ref MERGE_HEAD HEAD'); process.exit(3)";
  const { room, input } = await openWith(merging);
  const refusal = await room.refused(forgeExecuteTask, input);
  const { kept } = refusal.details as { kept: [string, string] };
  const [folder, branch] = kept;
  expect(refusal.message).toContain(`Removing everything would have lost something. Kept: ${branch}`);
  expect(branch).toMatch(/a merge is in progress in it\. .*`git worktree remove \S+` and `git branch -d \S+`\.$/);
  expect(room.text("a.txt", folder)).toBe("x");
  expect(workTrees(room)).toHaveLength(2);
});

test("one that is cancelled leaves nothing of what it had made either", async () => {
  const { room, input } = await openWith(`${leaving.join("; ")}; console.log('made'); setInterval(() => {}, 1000)`);
  const stop = new AbortController();
  const starting = room.call(forgeExecuteTask, input, undefined, stop.signal);
  const made = () => /^worktree (.*exec_.*)$/m.exec(room.git("worktree", "list", "--porcelain"))?.[1];
  await expect.poll(() => made() !== undefined && room.has("link", made()), { timeout: 20_000 }).toBe(true);
  stop.abort();
  expect(await starting).toMatchObject({ kind: "error", body: { code: "CANCELLED" } });
  await expect.poll(() => workTrees(room)?.length, { timeout: 20_000 }).toBe(1);
  await expect.poll(() => room.git("branch", "--format=%(refname:short)"), { timeout: 20_000 }).toBe("main");
});
