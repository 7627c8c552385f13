import { expect, test } from "vitest";
import {
  begin,
  moveBase,
  openShared,
  write,
} from "../../../../../test/harness/rooms/workbench/workbench-shared-folder.ts";
import { forgeCancelExecution } from "../../tools/executions/forge-cancel-execution.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";

const everything = { message: "x" };
type Cancelled = { kept: string[]; removed: string[] };

test("with no branch of its own, cancelling says what stays on the base", async () => {
  const room = openShared();
  await begin(room, { create_branch: false });
  await write(room, "new.txt", "new\n");
  const { commit_hash } = await room.ok<{ commit_hash: string }>(forgeCommitChanges, {
    ...everything,
    complete: false,
  });
  await write(room, "a.txt", "two\n");
  expect(await room.ok<Cancelled>(forgeCancelExecution, {})).toMatchObject({
    kept: [
      `${room.project}: a.txt is changed and not committed, on main. Commit it or undo it.`,
      expect.stringContaining(`main: the task's commits stay on it, the last is ${commit_hash.slice(0, 12)}`),
    ],
    removed: [],
  });
});

test("where somebody has switched to another branch, cancelling says that the changes stay there", async () => {
  const room = openShared();
  const { branch } = await begin(room);
  await write(room, "a.txt", "two\n");
  room.git("switch", "--quiet", "--create", "other");
  expect(await room.ok<Cancelled>(forgeCancelExecution, {})).toMatchObject({
    kept: [`${room.project}: a.txt is changed and not committed, on other, which someone has switched to`],
    removed: [`branch ${branch}`],
  });
});

test("a branch that somebody has renamed is not said to be removed", async () => {
  for (const isolation of ["none", "worktree"]) {
    const room = openShared();
    const { branch } = await begin(room, { isolation });
    room.git("branch", "--move", branch, "renamed");
    const { kept, removed } = await room.ok<Cancelled>(forgeCancelExecution, {});
    expect(kept).toEqual([
      expect.stringContaining(`branch renamed: the folder was on it; someone renamed ${branch} to it`),
    ]);
    expect(removed.join()).not.toContain("branch");
  }
  const room = openShared();
  const { root, branch } = await begin(room, { isolation: "worktree" });
  room.put({ "new.txt": "new\n" }, root);
  room.git("branch", "--move", branch, "renamed");
  const { kept, removed } = await room.ok<Cancelled>(forgeCancelExecution, {});
  expect(removed).toEqual([]);
  expect(kept[1]).toMatch(/^branch renamed: .* 1 uncommitted: new\.txt\. .* and `git branch -d renamed`\.$/);
});

test("a conflict that ends the execution says so, and advises nothing that needs it open", async () => {
  const room = openShared();
  const { branch } = await begin(room, { rollback_on_failure: true });
  await write(room, "a.txt", "ours\n");
  moveBase(room, { "a.txt": "theirs\n" });
  const { message, next, details } = await room.refused(forgeCommitChanges, everything);
  expect(message).toContain("The execution has ended (rollback_on_failure)");
  expect(details).toMatchObject({ branch_merged: false, execution_status: "failed", files: ["a.txt"] });
  expect(next).toEqual([
    expect.stringContaining(`on main, run \`git merge ${branch}\``),
    expect.objectContaining({
      tool: "forge_execute_task",
      why: expect.stringContaining("start again from main on a new branch"),
    }),
  ]);
  expect(room.git("branch", "--show-current")).toBe("main");
});

test("where the base has changes in the same files, it says in which folder, and what to do", async () => {
  const room = openShared();
  const { root } = await begin(room, { isolation: "worktree" });
  room.put({ "a.txt": "task\n" }, root);
  room.put({ "a.txt": "mine\n" });
  const answer = await room.ok<{ warnings: string[] }>(forgeCommitChanges, everything);
  expect(answer).toMatchObject({
    branch_merged: false,
    task_status: "in_progress",
    next: ["The user commits or stashes these changes there.", { tool: "forge_commit_changes", why: "afterwards" }],
  });
  expect(answer.warnings.join(" ")).toContain(
    `main is checked out in ${room.project} with uncommitted changes in the same files: a.txt.`,
  );
});

test("where the base has another name by now, it says how to go on", async () => {
  const room = openShared();
  const { root, branch } = await begin(room, { isolation: "worktree" });
  room.put({ "a.txt": "task\n" }, root);
  room.git("branch", "--move", "main", "trunk");
  const { next } = await room.ok<{ next: unknown[] }>(forgeCommitChanges, everything);
  expect(next).toContainEqual({
    tool: "forge_execute_task",
    input: expect.objectContaining({ options: { finish: "branch" } }),
    why: expect.stringContaining(`${branch} stays for the user to merge`),
  });
});
