import * as z from "zod";
import type { Call } from "../../../../kernel/call.ts";
import { taskKey } from "../../board/model/ids.ts";
import { type ExecutionOptions, executionOptions } from "../../model/execution-model.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { blockId, taskId } from "../../model/task-model.ts";
import { warningsSchema } from "../schemas.ts";

const options = executionOptions.strict().optional();

/** What both forms of executing take. */
export const executeInput = z.object({
  block_id: blockId,
  task_id: taskId,
  options: options.describe("How it is worked on."),
  execution_options: options.describe("The same under another name; `options` wins."),
});

/** What both answer. */
export const executeOutput = z.object({
  status: z.literal("started"),
  branch_created: z.string().max(limits.path).optional(),
  execution_id: z.string().max(limits.id),
  message: z.string().max(limits.text),
  root: z.string().max(4_096).describe("The folder to work in."),
  base_branch: z.string().max(limits.path).optional(),
  resumed: z.boolean(),
  instead: z.object({ block_id: blockId, task_id: taskId }).optional().describe("The dependency that was started."),
  warnings: warningsSchema,
});

/** Long enough for the project's own set-up of a work tree. */
export const executeDeadlineMs = 30 * 60_000;

export function aboutTask({ block_id, task_id }: { block_id: string; task_id: string }): string[] {
  return [`task:${taskKey(block_id, task_id)}`];
}

export async function executeTask(
  { executions }: Pick<WorkbenchServices, "executions">,
  input: z.output<typeof executeInput>,
  call: Call,
): Promise<z.output<typeof executeOutput>> {
  const given = { ...input.execution_options, ...input.options } as Partial<ExecutionOptions>;
  const { execution, resumed, branchCreated, instead, warnings } = await executions.start(
    call,
    input.block_id,
    input.task_id,
    given,
  );
  const { id, baseBranch, root, options: chosen } = execution;
  const where = chosen.isolation === "worktree" ? ` Work in ${root}.` : "";
  const which = instead ? ` It waits for ${instead.blockId}/${instead.taskId}, which was started instead.` : "";
  return {
    status: "started",
    ...(branchCreated !== undefined && { branch_created: branchCreated }),
    execution_id: id,
    message: `Task execution ${resumed ? "resumed" : "started"}. You can now make changes and I'll track them.${which}${where}`,
    root,
    ...(baseBranch !== undefined && { base_branch: baseBranch }),
    resumed,
    ...(instead && { instead: { block_id: instead.blockId, task_id: instead.taskId } }),
    ...(warnings.length > 0 && { warnings }),
  };
}
