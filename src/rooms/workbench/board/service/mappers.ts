import type * as z from "zod";
import type { Block, DependencyState, Task, TaskPage, TaskSummary } from "../../model/task-model.ts";
import { formatCycle } from "../model/format-cycle.ts";
import { parseTaskKey, taskKey, taskReference } from "../model/ids.ts";
import {
  type blockSchema,
  type changedTask,
  connectionFields,
  type taskDetails,
  type taskSummary,
} from "../model/schemas.ts";
import type { Board } from "./board.ts";
import { combineStatuses } from "./resolve-dependencies.ts";
import { describeUnknownDependency } from "./task-queries.ts";

/** Blocks and tasks as tools return them. */

const maxWarnings = 10;
const maxConnectionText = 300;

function formatSummary(task: TaskSummary): z.input<typeof taskSummary> {
  const { id, name, blockId, status, dependencies, dependenciesStatus: statuses, ready, waitsFor } = task;
  return {
    id,
    name,
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

export function formatPage({ tasks, total, nextCursor, warnings, next }: TaskPage) {
  return {
    tasks: tasks.map(formatSummary),
    total,
    ...(nextCursor !== undefined && { next_cursor: nextCursor }),
    ...(warnings.length > 0 && { warnings }),
    ...(next.length > 0 && { next }),
  };
}

/** A task that was created or changed, with what is wrong with its dependencies. `noteNamed`: before other tasks are named. */
export async function formatChange(
  board: Board,
  task: Task,
  noteNamed: (tasks: { blockId: string; id: string }[]) => Promise<void>,
): Promise<z.input<typeof changedTask>> {
  const states = task.dependencies.length === 0 ? [] : await board.dependencies(task);
  const cycle = states.length === 0 ? undefined : await board.cycle(task);
  const named = (cycle ?? []).map((key) => parseTaskKey(key));
  await noteNamed(named.map(({ blockId, taskId }) => ({ blockId, id: taskId })));
  const statuses = Object.fromEntries(states.map(({ ref, status }) => [ref, status]));
  const key = taskKey(task.blockId, task.id);
  const unknown = states.flatMap(({ ref, status }) =>
    status === "unknown" ? [describeUnknownDependency(key, ref)] : [],
  );
  const warnings = [
    ...unknown.slice(0, maxWarnings),
    ...(cycle ? [`It waits for itself, so it cannot be executed: ${formatCycle(cycle)}.`] : []),
  ];
  return {
    task: formatSummary({ ...task, dependenciesStatus: statuses }),
    ...(warnings.length > 0 && { warnings }),
  };
}

export function formatTaskDetails(
  task: Task,
  dependencies: readonly DependencyState[],
  related: string[],
): z.input<typeof taskDetails> {
  const waits = dependencies.flatMap(({ ref, status }) => {
    if (status === "completed") return [];
    return [status === "unknown" ? `${ref} (unknown)` : ref];
  });
  const isOpen = task.status !== "completed";
  return {
    id: task.id,
    name: task.name,
    block_id: task.blockId,
    block_name: task.blockName,
    status: task.status,
    description: task.description,
    acceptance_criteria: task.acceptance_criteria,
    dependencies: task.dependencies,
    files_affected: task.files_affected,
    related_blocks: related,
    estimated_effort: task.estimated_effort,
    function_signatures: task.function_signatures,
    testing_requirements: task.testing_requirements,
    log: task.log,
    commit_id: task.commitId,
    ...(task.ticketId !== undefined && { ticket_id: task.ticketId }),
    ready: isOpen && waits.length === 0 && task.claim === undefined,
    ...(isOpen && waits.length > 0 && { waits_for: [...new Set(waits)] }),
    ...(task.claim && { claim: task.claim }),
    revision: task.revision,
    updated_at: new Date(task.updatedAt).toISOString(),
  };
}

export function formatBlock(
  block: Block,
  withConnections: boolean,
  page: TaskPage | undefined,
): z.input<typeof blockSchema> {
  const { pending, in_progress, completed } = block.tasks;
  const combined = combineStatuses(block.tasks);
  const isDone = combined === "completed" && pending + in_progress + completed > 0;
  const omitted = page ? page.total - page.tasks.length : 0;
  return {
    id: block.id,
    name: block.name,
    description: block.description,
    status: combined === "failed" ? "failed" : isDone ? "completed" : "active",
    task_counts: block.tasks,
    inputs: block.inputs,
    outputs: block.outputs,
    ...(withConnections && { connections: formatConnections(block) }),
    ...(page && { tasks: page.tasks.map(formatSummary) }),
    ...(omitted > 0 && { tasks_omitted: omitted }),
    revision: block.revision,
  };
}

/** The known fields of each connection; a file may contain others. */
function formatConnections({ connections }: Block) {
  const side = (name: keyof typeof connectionFields) =>
    connections[name].map((connection) =>
      Object.fromEntries(
        connectionFields[name].flatMap((field) => {
          const value = connection[field];
          return typeof value === "string" ? [[field, value.slice(0, maxConnectionText)]] : [];
        }),
      ),
    );
  return { input_connections: side("input_connections"), output_connections: side("output_connections") };
}

export function taskAbout({ block_id, task_id }: { block_id: string; task_id: string }): string[] {
  return [taskReference(block_id, task_id)];
}

export function blockAbout({ block_id }: { block_id: string }): string[] {
  return [`block:${block_id.slice(0, 100)}`];
}
