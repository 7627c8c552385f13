import * as z from "zod";
import type { Call } from "../../../../kernel/calls/call.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { escapeTexts, maxEscapeFactor } from "../../board/model/escape-texts.ts";
import { dependenciesStatus, taskDetails } from "../../board/model/schemas.ts";
import { formatTaskDetails, taskAbout } from "../../board/service/mappers.ts";
import { readTaskContext } from "../../context/task-context.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { blockId, type DependencyState, type Task, taskId } from "../../model/task-model.ts";

type Services = Pick<WorkbenchServices, "board" | "guard" | "git" | "projectRoot">;

const budgetTokens = 4_000;
const line = z.string().max(limits.line * maxEscapeFactor);
const path = z.string().max(limits.path * maxEscapeFactor);

export const forgeGetTaskDetails = defineTool({
  name: "forge_get_task_details",
  title: "Read a task",
  description: "Read a task before working on it: description, acceptance criteria, files and dependencies.",
  effect: "read",
  untrusted: "repository",
  core: true,
  input: z.object({
    block_id: blockId,
    task_id: taskId,
    include_context: z.boolean().default(false).describe("Add related files and code patterns"),
  }),
  output: z.object({
    task: taskDetails,
    context: z
      .object({
        existing_files: z.record(path, line),
        dependencies_status: dependenciesStatus,
        related_code_patterns: z.array(line).max(1_000),
        omitted: z.array(line).max(10_000).describe("Left out to keep the result short"),
      })
      .optional(),
  }),
  about: taskAbout,
  async run(services: Services, { block_id, task_id, include_context }, call) {
    const { board, guard } = services;
    const task = await board.task(block_id, task_id);
    const [dependencies, related] = [await board.dependencies(task), await board.relatedBlocks(task)];
    await guard.noteRead(call, { tasks: [task], blocks: related.flatMap(({ id }) => id ?? []) });
    const names = related.map(({ name }) => name);
    const details = escapeTexts(formatTaskDetails(task, dependencies, names));
    if (!include_context) return { task: details };
    return { task: details, context: await formatContext(services, task, dependencies, call) };
  },
});

async function formatContext(services: Services, task: Task, dependencies: DependencyState[], { signal }: Call) {
  const found = await readTaskContext(services, task, { budgetTokens, signal });
  return {
    existing_files: found.existing_files,
    dependencies_status: escapeTexts(Object.fromEntries(dependencies.map(({ ref, status }) => [ref, status]))),
    related_code_patterns: found.related_code_patterns,
    omitted: found.omitted,
  };
}
