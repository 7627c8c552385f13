import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually, isAlive } from "../harness/cli/processes.ts";
import { blockInFile, fileOf, taskInFile } from "../harness/rooms/workbench/workbench-board.ts";
import {
  Assistant,
  makeWorkbenchProject,
  type WorkbenchProject,
} from "../harness/rooms/workbench/workbench-program.ts";

const task = { block_id: "abc123", task_id: "xyz789" };
const files = {
  "blocks_config.json": fileOf(blockInFile("Shop", task.block_id, [taskInFile(task.task_id, { task_name: "Work" })])),
  "a.txt": "one\n",
};
const content = "the task's\n";

/** One that the user trusts. */
function makeOwnProject(): WorkbenchProject {
  const project = makeWorkbenchProject(files);
  project.forge("trust", "--yes");
  return project;
}

/** Git that kills who started it at the first command with these words, once it is done or instead of doing it. */
function killingGit({ sandbox, env }: WorkbenchProject, words: string, side: "before" | "after") {
  const folder = join(sandbox.root, "shims");
  mkdirSync(folder);
  const real = "/usr/bin/git";
  const script = `#!/bin/sh
case " $* " in
  *" ${words}"*)
    ${side === "after" ? `${real} "$@"` : ":"}
    kill -9 $PPID
    exit 1 ;;
esac
exec ${real} "$@"
`;
  writeFileSync(join(folder, "git"), script);
  chmodSync(join(folder, "git"), 0o755);
  return { ...env, PATH: `${folder}:${env["PATH"]}` };
}

/** The answer never comes: the server is gone. */
async function dies(assistant: Assistant, asked: Promise<unknown>): Promise<void> {
  await expect(asked).rejects.toThrow();
  await eventually("the server's end", () => !isAlive(assistant.pid));
}

/** Under a name that outlives the connection, so that nobody has to wait until the dead one's claim is over. */
const claim = { ...task, worker: "builder" };

async function resume(next: Assistant): Promise<void> {
  await next.ok("forge_claim_task", claim);
  expect(await next.ok("forge_execute_task", task)).toMatchObject({ resumed: true });
}

/** Git is sound, and what it has is what the store says; what the next server found, in words. */
async function requireAgreement(project: WorkbenchProject, next: Assistant): Promise<string[]> {
  const listed = await next.ok("forge_list_executions");
  const executions = listed["executions"] as Record<string, string>[];
  const open = executions.filter(({ status }) => status === "running");
  expect(project.git("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  expect(project.branches()).toEqual(["main", ...open.map(({ branch }) => branch)]);
  expect(project.workTrees().slice(1)).toEqual(
    open.filter(({ root }) => root !== project.cwd).map(({ root }) => `worktree ${root}`),
  );
  const { tasks } = await next.ok("forge_get_tasks", { status: ["in_progress"] });
  expect(tasks).toHaveLength(open.length);
  return (listed["warnings"] ?? []) as string[];
}

async function finish(project: WorkbenchProject, next: Assistant, isolation: string): Promise<void> {
  await next.ok("forge_execute_task", { ...task, options: { isolation } });
  await next.ok("forge_write_file", { file_path: "new.txt", content });
  expect(await next.ok("forge_commit_changes", { message: "Work" })).toMatchObject({ task_status: "completed" });
  expect(project.git("show", "main:new.txt")).toBe(content.trim());
  expect(project.branches()).toEqual(["main"]);
}

describe("a server that is killed", () => {
  test.each([
    ["none", "symbolic-ref -m"],
    ["worktree", "worktree add"],
  ])("while it starts a task (isolation %s): the next one says that it was not started", async (isolation, words) => {
    const project = makeOwnProject();
    const doomed = await Assistant.start({ ...project, env: killingGit(project, words, "after") }, "modern");
    await dies(doomed, doomed.ok("forge_execute_task", { ...task, options: { isolation } }));
    expect(project.branches()).toHaveLength(2);
    const next = await Assistant.start(project, "modern");
    expect(await requireAgreement(project, next)).toEqual([
      expect.stringMatching(/^Execution exec_\w+ was not started; everything was removed\.$/),
    ]);
    expect(project.branches()).toEqual(["main"]);
    expect(project.git("status", "--porcelain")).toBe("");
    await finish(project, next, isolation);
  });

  test("while it writes: a file is complete in its old or new form, and belongs to the task", async () => {
    const project = makeOwnProject();
    const doomed = await Assistant.start(project, "modern");
    await doomed.ok("forge_claim_task", claim);
    await doomed.ok("forge_execute_task", task);
    const texts = ["a", "b"].map((letter) => `${letter.repeat(99)}\n`.repeat(5_000));
    let written = 0;
    const writing = async () => {
      for (;;) {
        await doomed.ok("forge_write_file", { file_path: "a.txt", content: texts[written % 2] });
        written++;
      }
    };
    const over = dies(doomed, writing());
    await eventually("some writes", () => written > 3);
    process.kill(doomed.pid, "SIGKILL");
    await over;
    expect(texts).toContain(project.text("a.txt"));
    const next = await Assistant.start(project, "modern");
    expect(await requireAgreement(project, next)).toEqual([]);
    expect(project.git("status", "--porcelain")).toBe(" M a.txt");
    await resume(next);
    expect(await next.ok("forge_get_execution")).toMatchObject({ files: [{ path: "a.txt", action: "modified" }] });
    // Named, because the last write may only have reached the disk: then its owner is unknown.
    expect(await next.ok("forge_commit_changes", { message: "Work", files: ["a.txt"] })).toMatchObject({
      task_status: "completed",
      files_modified: ["a.txt"],
    });
    expect(readFileSync(join(project.cwd, "a.txt"), "utf8")).toBe(`${project.git("show", "main:a.txt")}\n`);
  });

  test.each([
    ["commit", "commit --quiet", "before", /^A commit of execution exec_\w+ was interrupted and not made\.$/],
    ["commit", "commit --quiet", "after", /^Commit \w+ of execution exec_\w+ was made .*; it is recorded now\.$/],
    ["merge", "update-ref -m forge: merged", "before", / Its interrupted merge into main was finished\.$/],
    [
      "merge",
      "update-ref -m forge: merged",
      "after",
      /^Execution exec_\w+ was interrupted while finishing; it is completed now\.$/,
    ],
  ] as const)("at its %s (git %s, %s): the next one says what it found", async (_what, words, side, said) => {
    const project = makeOwnProject();
    const doomed = await Assistant.start({ ...project, env: killingGit(project, words, side) }, "modern");
    await doomed.ok("forge_claim_task", claim);
    await doomed.ok("forge_execute_task", { ...task, options: { isolation: "worktree" } });
    await doomed.ok("forge_write_file", { file_path: "new.txt", content });
    await dies(doomed, doomed.ok("forge_commit_changes", { message: "Work" }));
    const next = await Assistant.start(project, "modern");
    expect(await requireAgreement(project, next)).toEqual([expect.stringMatching(said)]);
    const isDone = words.startsWith("update-ref");
    if (!isDone) {
      await resume(next);
      expect(await next.ok("forge_commit_changes", { message: "Work" })).toMatchObject({ task_status: "completed" });
    }
    expect(project.git("show", "main:new.txt")).toBe(content.trim());
    expect(project.text("new.txt")).toBe(content);
    expect(project.branches()).toEqual(["main"]);
    expect(project.workTrees()).toHaveLength(1);
    expect(project.git("status", "--porcelain")).toBe("");
    expect(project.git("log", "--format=%s").split("\n")).toEqual(["Work", "first"]);
  });
});
