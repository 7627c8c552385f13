import * as z from "zod";
import { limits, taskStatuses } from "../../model/limits.ts";
import type { Board } from "../../model/services.ts";
import { type Task, type TaskSummary, taskContent, taskStatus } from "../../model/task-model.ts";
import { unknownOne } from "../service/task-queries.ts";
import { pathText } from "./errors.ts";
import { widest } from "./escape.ts";
import { taskKey } from "./ids.ts";

/** PostgreSQL keeps no such text in a column. */
const withoutNul = (given: string) => !given.includes("\0") && !/\p{Cs}/u.test(given);
const plainly = "must be plain text";

export const name = z.string().trim().min(1).max(limits.name).refine(withoutNul, plainly);
export const searched = z.string().max(limits.name).refine(withoutNul, plainly);
export const cursor = z.string().max(40).optional().describe("`next_cursor` of the page before");

const { shape } = taskContent;

/** What a task's author gives; names as in `blocks_config.json`. */
export const taskFields = z.object({
  description: shape.description.optional(),
  acceptance_criteria: shape.acceptance_criteria.optional(),
  dependencies: z
    .array(z.string().min(1).max(limits.name).refine(withoutNul, plainly))
    .max(limits.list)
    .optional()
    .describe("Ids of tasks, `block/task`, or ids or names of blocks (all their tasks)"),
  estimated_effort: shape.estimated_effort.optional(),
  files_affected: shape.files_affected.optional(),
  function_signatures: shape.function_signatures.optional(),
  testing_requirements: shape.testing_requirements.optional(),
  ticket_id: z.string().min(1).max(limits.id).refine(withoutNul, plainly).nullable().optional(),
});

const text = (length: number) => z.string().max(length * widest);
const texts = (length: number) => z.array(text(length)).max(limits.list);

export const warnings = z.array(z.string().max(limits.text)).max(100).optional();
export const nextCursor = z.string().max(40).optional();
const claim = z.object({ holder: z.string().max(1_000), until: z.string().max(40) });
export const dependenciesStatus = z.record(text(limits.name), z.enum([...taskStatuses, "unknown"]));

export const taskSummary = z.object({
  id: text(limits.id),
  name: text(limits.name),
  block_id: text(limits.id),
  status: taskStatus,
  dependencies: texts(limits.name),
  dependencies_status: dependenciesStatus.optional(),
  ready: z.boolean().optional().describe("It could be executed now"),
  waits_for: z
    .array(text(limits.line))
    .max(limits.list + 1)
    .optional(),
  claim: claim.optional(),
  revision: z.number(),
});

export const taskDetails = taskSummary.extend({
  block_name: text(limits.name),
  description: text(limits.text),
  acceptance_criteria: texts(limits.line),
  estimated_effort: text(limits.name),
  files_affected: texts(limits.path),
  function_signatures: texts(limits.line),
  testing_requirements: texts(limits.line),
  related_blocks: z.array(text(limits.name)).max(100),
  log: text(limits.text),
  commit_id: text(limits.name),
  ticket_id: text(limits.id).optional(),
  updated_at: z.string().max(40),
});

const port = z.object({ name: text(limits.name), ctype: text(limits.name), description: text(limits.text) });
const side = (...names: string[]) => {
  const fields = Object.fromEntries(names.map((field) => [field, text(limits.name).optional()]));
  return z.array(z.object(fields)).max(limits.list);
};

export const connectionFields = {
  input_connections: ["from_module", "output_type", "input_id"],
  output_connections: ["to_module", "input_type", "output_id"],
} as const;

const count = z.number();
export const blockOut = z.object({
  id: text(limits.id),
  name: text(limits.name),
  description: text(limits.text),
  status: z.enum(["active", "completed", "failed"]),
  task_counts: z.object({ pending: count, in_progress: count, completed: count, failed: count }),
  inputs: z.array(port).max(limits.list),
  outputs: z.array(port).max(limits.list),
  connections: z
    .object({
      input_connections: side(...connectionFields.input_connections),
      output_connections: side(...connectionFields.output_connections),
    })
    .optional(),
  tasks: z.array(taskSummary).max(limits.page).optional(),
  tasks_omitted: z.number().optional().describe("More than are listed: forge_get_tasks"),
  revision: z.number(),
});

export function summaryOut(task: TaskSummary): z.input<typeof taskSummary> {
  const { id, name: called, blockId, status, dependencies, dependenciesStatus: statuses, ready, waitsFor } = task;
  return {
    id,
    name: called,
    block_id: blockId,
    status,
    dependencies,
    ...(statuses && { dependencies_status: statuses }),
    ...(ready !== undefined && { ready }),
    ...(waitsFor && { waits_for: waitsFor }),
    ...(task.claim && { claim: task.claim }),
    revision: task.revision,
  };
}

/** A task that was made or changed, with what is the matter with what it waits for. */
export const changedTask = z.object({ task: taskSummary, warnings });

export async function changedOut(board: Board, task: Task): Promise<z.input<typeof changedTask>> {
  const states = task.dependencies.length === 0 ? [] : await board.dependencies(task);
  const cycle = states.length === 0 ? undefined : await board.cycle(task);
  const statuses = Object.fromEntries(states.map(({ ref, status }) => [ref, status]));
  const key = taskKey(task.blockId, task.id);
  const said = [
    ...states.flatMap(({ ref, status }) => (status === "unknown" ? [unknownOne(key, ref)] : [])).slice(0, 10),
    ...(cycle ? [`It waits for itself, so it cannot be executed: ${pathText(cycle)}.`] : []),
  ];
  return {
    task: summaryOut({ ...task, dependenciesStatus: statuses }),
    ...(said.length > 0 && { warnings: said }),
  };
}

export function aboutTask({ block_id, task_id }: { block_id: string; task_id: string }): string[] {
  return [`task:${taskKey(block_id, task_id)}`];
}
