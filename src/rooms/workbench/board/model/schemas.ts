import * as z from "zod";
import { limits, taskStatuses } from "../../model/limits.ts";
import { type Task, type TaskSummary, taskContent, taskStatus } from "../../model/task-model.ts";
import type { Board } from "../service/board.ts";
import { describeUnknownDependency } from "../service/task-queries.ts";
import { formatCycle } from "./errors.ts";
import { maxEscapeFactor } from "./escape.ts";
import { taskKey } from "./ids.ts";

/** PostgreSQL keeps no such text in a column. */
const isStorableText = (given: string) => !given.includes("\0") && !/\p{Cs}/u.test(given);
const storableTextRule = "must be plain text";

export const nameSchema = z.string().trim().min(1).max(limits.name).refine(isStorableText, storableTextRule);
export const searchText = z.string().max(limits.name).refine(isStorableText, storableTextRule);
export const cursor = z.string().max(40).optional().describe("`next_cursor` of the page before");

const { shape } = taskContent;

/** What a task's author gives; names as in `blocks_config.json`. */
export const taskFields = z.object({
  description: shape.description.optional(),
  acceptance_criteria: shape.acceptance_criteria.optional(),
  dependencies: z
    .array(z.string().min(1).max(limits.name).refine(isStorableText, storableTextRule))
    .max(limits.list)
    .optional()
    .describe("Ids of tasks, `block/task`, or ids or names of blocks (all their tasks)"),
  estimated_effort: shape.estimated_effort.optional(),
  files_affected: shape.files_affected.optional(),
  function_signatures: shape.function_signatures.optional(),
  testing_requirements: shape.testing_requirements.optional(),
  ticket_id: z.string().min(1).max(limits.id).refine(isStorableText, storableTextRule).nullable().optional(),
});

const escapedText = (length: number) => z.string().max(length * maxEscapeFactor);
const escapedTexts = (length: number) => z.array(escapedText(length)).max(limits.list);

export const warnings = z.array(z.string().max(limits.text)).max(100).optional();
export const nextCursor = z.string().max(40).optional();
const claim = z.object({ holder: z.string().max(1_000), until: z.string().max(40) });
export const dependenciesStatus = z.record(escapedText(limits.name), z.enum([...taskStatuses, "unknown"]));

export const taskSummary = z.object({
  id: escapedText(limits.id),
  name: escapedText(limits.name),
  block_id: escapedText(limits.id),
  status: taskStatus,
  dependencies: escapedTexts(limits.name),
  dependencies_status: dependenciesStatus.optional(),
  ready: z.boolean().optional().describe("It could be executed now"),
  waits_for: z
    .array(escapedText(limits.line))
    .max(limits.list + 1)
    .optional(),
  claim: claim.optional(),
  revision: z.number(),
});

export const taskDetails = taskSummary.extend({
  block_name: escapedText(limits.name),
  description: escapedText(limits.text),
  acceptance_criteria: escapedTexts(limits.line),
  estimated_effort: escapedText(limits.name),
  files_affected: escapedTexts(limits.path),
  function_signatures: escapedTexts(limits.line),
  testing_requirements: escapedTexts(limits.line),
  related_blocks: z.array(escapedText(limits.name)).max(100),
  log: escapedText(limits.text),
  commit_id: escapedText(limits.name),
  ticket_id: escapedText(limits.id).optional(),
  updated_at: z.string().max(40),
});

const port = z.object({
  name: escapedText(limits.name),
  ctype: escapedText(limits.name),
  description: escapedText(limits.text),
});
const connectionList = (...names: string[]) => {
  const fields = Object.fromEntries(names.map((field) => [field, escapedText(limits.name).optional()]));
  return z.array(z.object(fields)).max(limits.list);
};

export const connectionFields = {
  input_connections: ["from_module", "output_type", "input_id"],
  output_connections: ["to_module", "input_type", "output_id"],
} as const;

const count = z.number();
export const blockSchema = z.object({
  id: escapedText(limits.id),
  name: escapedText(limits.name),
  description: escapedText(limits.text),
  status: z.enum(["active", "completed", "failed"]),
  task_counts: z.object({ pending: count, in_progress: count, completed: count, failed: count }),
  inputs: z.array(port).max(limits.list),
  outputs: z.array(port).max(limits.list),
  connections: z
    .object({
      input_connections: connectionList(...connectionFields.input_connections),
      output_connections: connectionList(...connectionFields.output_connections),
    })
    .optional(),
  tasks: z.array(taskSummary).max(limits.page).optional(),
  tasks_omitted: z.number().optional().describe("More than are listed: forge_get_tasks"),
  revision: z.number(),
});

export function toTaskSummary(task: TaskSummary): z.input<typeof taskSummary> {
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

export async function toChangedTask(board: Board, task: Task): Promise<z.input<typeof changedTask>> {
  const states = task.dependencies.length === 0 ? [] : await board.dependencies(task);
  const cycle = states.length === 0 ? undefined : await board.cycle(task);
  const statuses = Object.fromEntries(states.map(({ ref, status }) => [ref, status]));
  const key = taskKey(task.blockId, task.id);
  const said = [
    ...states
      .flatMap(({ ref, status }) => (status === "unknown" ? [describeUnknownDependency(key, ref)] : []))
      .slice(0, 10),
    ...(cycle ? [`It waits for itself, so it cannot be executed: ${formatCycle(cycle)}.`] : []),
  ];
  return {
    task: toTaskSummary({ ...task, dependenciesStatus: statuses }),
    ...(said.length > 0 && { warnings: said }),
  };
}

export function aboutTask({ block_id, task_id }: { block_id: string; task_id: string }): string[] {
  return [`task:${taskKey(block_id, task_id)}`];
}
