import * as z from "zod";
import type { Call } from "../../../../kernel/call.ts";
import { defineTool } from "../../../../kernel/tool.ts";
import { escapeTexts, maxEscapeFactor } from "../../board/model/escape.ts";
import { aboutTask, dependenciesStatus, taskDetails } from "../../board/model/schemas.ts";
import { readTaskContext } from "../../context/task-context.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { blockId, type DependencyState, type Task, taskId } from "../../model/task-model.ts";

type Services = Pick<WorkbenchServices, "board" | "git" | "projectRoot">;

const budgetTokens = 4_000;
const line = z.string().max(limits.line * maxEscapeFactor);
const path = z.string().max(limits.path * maxEscapeFactor);

export const forgeGetTaskDetails = defineTool({
  name: "forge_get_task_details",
  title: "Read a task",
  description:
    "Call it before working on a task: what is to be done, what must be true in the end, which files, and what it waits for. `include_context` adds related files of the repository with a line on each, the dependencies' status and patterns met in the code.",
  effect: "read",
  input: z.object({ block_id: blockId, task_id: taskId, include_context: z.boolean().default(false) }),
  output: z.object({
    task: taskDetails,
    context: z
      .object({
        existing_files: z.record(path, line),
        dependencies_status: dependenciesStatus,
        related_code_patterns: z.array(line).max(1_000),
        omitted: z.array(line).max(10_000).describe("Left out for its length"),
      })
      .optional(),
  }),
  about: aboutTask,
  async run(services: Services, { block_id, task_id, include_context }, call) {
    const { board } = services;
    const task = await board.task(block_id, task_id);
    const dependencies = await board.dependencies(task);
    const details = escapeTexts(formatDetails(task, dependencies, await board.relatedBlocks(task)));
    if (!include_context) return { task: details };
    return { task: details, context: await formatContext(services, task, dependencies, call) };
  },
});

function formatDetails(task: Task, dependencies: DependencyState[], related: string[]): z.input<typeof taskDetails> {
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

async function formatContext(services: Services, task: Task, dependencies: DependencyState[], { signal }: Call) {
  const found = await readTaskContext(services, task, { budgetTokens, signal });
  return {
    existing_files: found.existing_files,
    dependencies_status: escapeTexts(Object.fromEntries(dependencies.map(({ ref, status }) => [ref, status]))),
    related_code_patterns: found.related_code_patterns,
    omitted: found.omitted,
  };
}
