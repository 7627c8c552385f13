import { forgeExecuteTask } from "../../src/rooms/workbench/tools/forge-execute-task.ts";
import { forgeWriteFile } from "../../src/rooms/workbench/tools/forge-write-file.ts";
import { openRoom, type Room } from "./workbench-executions.ts";

type RoomOptions = NonNullable<Parameters<typeof openRoom>[0]>;

/** A repository in which a person works beside the assistant. */
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

/** A person goes on working in the folder: in a file, in one that is staged, and in a new one. */
export function personWorks(room: Room): void {
  room.put({ "theirs.txt": "mine\n", "staged.txt": "mine\n", "scratch.txt": "mine\n" });
  room.git("add", "staged.txt");
}
/** What git says of it as long as nobody has touched it. */
export const personsStatus = "M  staged.txt\n M theirs.txt\n?? scratch.txt";
