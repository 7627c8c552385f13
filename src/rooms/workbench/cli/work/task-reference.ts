import type { App } from "../../../../commons/cli/app.ts";
import type { Argument, Candidate, TypingPlace } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";

export const taskArguments: Argument[] = [
  { name: "block/task", required: true, help: "The task, as BLOCK/TASK; or its block, with the task after it." },
  { name: "task", required: false, help: "The task's id, where the block stands before it." },
];

export type TaskReference = { block_id: string; task_id: string };

/** `BLOCK/TASK` or `BLOCK TASK`. A block's name may have a slash in it, so the last one counts. */
export function taskReference([first = "", second]: string[]): TaskReference {
  if (second !== undefined) return { block_id: first, task_id: second };
  const at = first.lastIndexOf("/");
  if (at <= 0 || at === first.length - 1) throw noReference(first);
  return { block_id: first.slice(0, at), task_id: first.slice(at + 1) };
}

export function taskName({ block_id, id }: { block_id: string; id: string }): string {
  return `${block_id}/${id}`;
}

/** Those that are done cannot be begun. */
export async function completeOpenTask(app: App, place: TypingPlace): Promise<Candidate[]> {
  return (await completeTask(app, place)).filter(({ help = "" }) => !help.startsWith("completed "));
}

export async function completeTask(
  app: App,
  { option, positionals: [first, ...more] }: TypingPlace,
): Promise<Candidate[]> {
  if (option !== undefined || more.length > 0 || first?.includes("/")) return [];
  const tasks = await (await app.workbench()).suggest.tasks(first);
  return tasks.map(({ blockId, id, name, status }) => ({
    value: first === undefined ? `${blockId}/${id}` : id,
    help: `${status}  ${name}`,
  }));
}

function noReference(typed: string): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `"${typed.slice(0, 64)}" names no task; a task is BLOCK/TASK, or BLOCK TASK.`,
    {
      next: ["`forge task list` shows those there are."],
    },
  );
}
