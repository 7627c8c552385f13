import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFiles } from "../harness/git/git.ts";
import { eras } from "../harness/mcp/client.ts";
import { blockInFile, fileOf, taskInFile } from "../harness/rooms/workbench/workbench-board.ts";
import {
  Assistant,
  errorOf,
  makeWorkbenchProject,
  type WorkbenchProject,
} from "../harness/rooms/workbench/workbench-program.ts";

const block_id = "abc123";
const names = ["one", "two", "three", "four"];
const filesEach = 5;
/** Far enough apart for each to change a line of its own. */
const shared = names.flatMap((name) => [`# ${name}`, "", "", "", "", "", "", ""]).join("\n");
const ours = { "notes.md": "The person's own, half written.\n", "staged.md": "Staged.\n", "untracked.md": "New.\n" };

function makeProject(): WorkbenchProject {
  const tasks = [...names, "wanted"].map((id) => taskInFile(id));
  const project = makeWorkbenchProject({
    "blocks_config.json": fileOf(blockInFile("Shop", block_id, tasks)),
    "notes.md": "The person's own.\n",
    "shared.md": shared,
  });
  project.forge("trust", "--yes");
  return project;
}

/** What a person has under way when the assistants come. */
function leaveUncommitted(project: WorkbenchProject) {
  writeFiles(project.cwd, ours);
  project.git("add", "staged.md");
  const look = () => ({
    status: project.git("status", "--porcelain"),
    files: Object.keys(ours).map((name) => {
      const { mtimeNs, ino } = statSync(join(project.cwd, name), { bigint: true });
      return { name, text: project.text(name), mtimeNs, ino };
    }),
  });
  const before = look();
  expect(before.status).toBe(" M notes.md\nA  staged.md\n?? untracked.md");
  return { before, look };
}

/** One assistant's whole task; the id of its execution. */
async function work(assistant: Assistant, name: string): Promise<string> {
  const options = { isolation: "worktree" };
  const { execution_id } = await assistant.ok("forge_execute_task", { block_id, task_id: name, options });
  for (let index = 0; index < filesEach; index++) {
    await assistant.ok("forge_write_file", { file_path: `${name}/${index}.txt`, content: `${name} ${index}\n` });
  }
  const first = await assistant.ok("forge_commit_changes", { message: `Files of ${name}`, complete: false });
  expect(first).toMatchObject({ branch_merged: false, task_status: "in_progress" });
  const edit = { file_path: "shared.md", edits: [{ old_text: `# ${name}`, new_text: `# ${name}, done` }] };
  await assistant.ok("forge_edit_file", edit);
  expect(await assistant.ok("forge_commit_changes", { message: `Line of ${name}` })).toMatchObject({
    branch_merged: true,
    branch_deleted: true,
    task_status: "completed",
  });
  return String(execution_id);
}

test("four assistants at once beside a person's uncommitted work: all is merged, nothing is lost or left", {
  timeout: 180_000,
}, async () => {
  const project = makeProject();
  const { before, look } = leaveUncommitted(project);
  const assistants = await Promise.all(
    names.map((_, index) => Assistant.start(project, eras[index % eras.length] ?? "modern")),
  );
  expect(new Set(assistants.map(({ pid }) => pid)).size).toBe(names.length);
  const executions = await Promise.all(assistants.map((assistant, index) => work(assistant, names[index] ?? "")));

  expect(look()).toEqual(before);
  expect(project.git("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  expect(project.branches()).toEqual(["main"]);
  expect(project.workTrees()).toEqual([`worktree ${project.cwd}`]);
  expect(existsSync(join(project.cwd, ".forge", "worktrees"))).toBe(false);
  for (const name of names) {
    for (let index = 0; index < filesEach; index++) {
      expect(project.git("show", `main:${name}/${index}.txt`)).toBe(`${name} ${index}`);
      expect(project.text(`${name}/${index}.txt`)).toBe(`${name} ${index}\n`);
    }
  }
  const merged = shared.replaceAll(/^# \w+$/gm, "$&, done");
  expect(project.git("show", "main:shared.md")).toBe(merged.trimEnd());
  expect(project.text("shared.md")).toBe(merged);
  const trailers = project.git("log", "--format=%(trailers:key=Forge-Execution,valueonly,separator=%x2C)").split("\n");
  for (const execution of executions)
    expect(trailers.filter((said) => said === execution).length).toBeGreaterThanOrEqual(2);
  const tasks = project.git("log", "--format=%(trailers:key=Forge-Task,valueonly,separator=%x2C)").split("\n");
  for (const name of names) expect(tasks).toContain(`${block_id}/${name}`);
  const [reader] = assistants;
  expect(await reader?.ok("forge_get_tasks", { status: ["completed"] })).toMatchObject({ total: names.length });
  expect(await reader?.ok("forge_list_executions", { status: ["running"] })).toMatchObject({ total: 0 });
});

test("of two on the same task one is refused and told who has it; in place nothing is begun beside a person's changes", {
  timeout: 120_000,
}, async () => {
  const project = makeProject();
  const { before, look } = leaveUncommitted(project);
  const [first, second] = await Promise.all(eras.map((era) => Assistant.start(project, era)));
  if (!first || !second) throw new Error("two eras");

  const refused = await first.refused("forge_execute_task", { block_id, task_id: "one" });
  expect(refused).toMatchObject({
    code: "CONFLICT_ERROR",
    message: expect.stringMatching(/2 files: .*(?:notes\.md.*staged\.md|staged\.md.*notes\.md)/),
    suggestions: expect.arrayContaining([expect.stringContaining('"isolation":"worktree"')]),
  });
  expect(project.branches()).toEqual(["main"]);

  const wanted = { block_id, task_id: "wanted", options: { isolation: "worktree" } };
  const answers = await Promise.all([first, second].map((one) => one.result("forge_execute_task", wanted)));
  expect(answers.filter(({ isError }) => !isError)).toHaveLength(1);
  const [loser, winner, answer] = answers[0]?.isError ? [first, second, answers[0]] : [second, first, answers[1]];
  const told = errorOf(answer ?? { content: [] });
  const again = await loser.refused("forge_execute_task", wanted);
  const holder = await winner.ok("forge_get_execution");
  for (const body of [told, again]) {
    expect(body).toMatchObject({
      code: "CONFLICT_ERROR",
      message: expect.stringContaining(String(holder["holder"])),
    });
  }
  const taken = { execution_id: holder["execution_id"], file_path: "x.txt", content: "x" };
  expect(await loser.refused("forge_write_file", taken)).toMatchObject({ code: "CONFLICT_ERROR" });
  expect(project.branches()).toEqual(["main", holder["branch"]]);

  expect(await winner.ok("forge_cancel_execution")).toMatchObject({ status: "cancelled", kept: [] });
  expect(project.branches()).toEqual(["main"]);
  expect(project.workTrees()).toHaveLength(1);
  expect(look()).toEqual(before);
});
