import { chmodSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { forgeExecuteTask } from "../../../../src/rooms/workbench/tools/executions/forge-execute-task.ts";
import { forgeWriteFile } from "../../../../src/rooms/workbench/tools/files/forge-write-file.ts";
import { makeSandbox, writeFiles } from "../../git/git.ts";
import { openRoom, type Room } from "./workbench-executions.ts";

type RoomOptions = NonNullable<Parameters<typeof openRoom>[0]>;

/** A repository in which a person works at the same time as the assistant. */
export function openShared(options: RoomOptions = {}): Room {
  const files = { "a.txt": "one\ntwo\nthree\n", "theirs.txt": "theirs\n", "staged.txt": "theirs\n" };
  return openRoom({ files, ...options });
}

export async function begin(room: Room, options: Record<string, unknown> = {}) {
  const task = await room.task();
  const started = await room.ok(forgeExecuteTask, { block_id: task.blockId, task_id: task.id, options });
  return { root: String(started["root"]), branch: String(started["branch_created"]) };
}

export function write(room: Room, file_path: string, content: string): Promise<Record<string, unknown>> {
  return room.ok(forgeWriteFile, { file_path, content });
}

/** A person changes files in the folder: one tracked, one staged, one new. */
export function personWorks(room: Room): void {
  room.put({ "theirs.txt": "mine\n", "staged.txt": "mine\n", "scratch.txt": "mine\n" });
  room.git("add", "staged.txt");
}

/** Another user commits to the base branch from their own folder. */
export function moveBase(room: Room, written: Record<string, string>): void {
  const folder = `${room.sandbox.root}/others`;
  room.git("worktree", "add", "--quiet", folder, "main");
  room.put(written, folder);
  room.gitIn(folder, "commit", "--quiet", "--all", "--message", "theirs");
  room.git("worktree", "remove", folder);
}

/** Their git status while no one has touched them. */
export const personsStatus = "M  staged.txt\n M theirs.txt\n?? scratch.txt";

/** The same, but someone saves a line to a file just before git runs these arguments, once after `arm`. */
export function openSaving(words: string, file: string): Room & { arm(): void } {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const project = sandbox.repository("project", { "a.txt": "one\n", "theirs.txt": "theirs\n" });
  const shims = join(sandbox.root, "shims");
  const armed = join(shims, "armed");
  const real = sandbox.git(project, "--exec-path").trim();
  const script = `#!/bin/sh
case " $* " in
  *" ${words} "*)
    if [ -f "${armed}" ] && { [ -z "$GIT_INDEX_FILE" ] || [ "${words}" = commit ]; }; then rm "${armed}"; echo mine >> "${project}/${file}"; fi ;;
esac
exec "${real}/git" "$@"
`;
  writeFiles(shims, { git: script });
  chmodSync(join(shims, "git"), 0o755);
  sandbox.environment["PATH"] = `${shims}:${sandbox.environment["PATH"]}`;
  return { ...openRoom({ beside: { sandbox, project } }), arm: () => writeFiles(shims, { armed: "" }) };
}

/** A person makes files executable. */
export function makePrograms(room: Room, ...names: string[]): void {
  for (const name of names) chmodSync(join(room.project, name), 0o755);
}

/** A person moves a folder away and leaves a link to it in its place. */
export function linkInstead(room: Room, folder: string, moved: string): void {
  renameSync(join(room.project, folder), join(room.project, moved));
  symlinkSync(moved, join(room.project, folder));
}
