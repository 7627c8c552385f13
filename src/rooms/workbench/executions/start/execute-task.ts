import * as z from "zod";
import { actionsSchema } from "../../../../kernel/action-schema.ts";
import type { Call } from "../../../../kernel/calls/call.ts";
import { type ExecutionOptions, executionOptions } from "../../model/execution-model.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { blockId, taskId } from "../../model/task-model.ts";
import { warningsSchema } from "../schemas.ts";

const options = executionOptions.strict().optional();

export const executeInput = z.object({
  block_id: blockId,
  task_id: taskId,
  options,
  /** Another name of `options`, which wins. */
  execution_options: options.meta({ unadvertised: true }),
});

/** The same for the streaming tool, whose list entry does not repeat the options. */
export const executeStreamInput = executeInput.extend({
  options: hideFields(executionOptions).strict().optional().describe("As for forge_execute_task"),
});

function hideFields<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>): z.ZodObject<Shape> {
  const hidden = Object.entries(schema.shape).map(([name, field]) => [
    name,
    (field as z.ZodType).meta({ unadvertised: true }),
  ]);
  return z.object(Object.fromEntries(hidden)) as z.ZodObject<Shape>;
}

/** What both tools that execute a task return. */
export const executeOutput = z.object({
  status: z.literal("started"),
  branch_created: z.string().max(limits.path).optional(),
  execution_id: z.string().max(limits.id),
  message: z.string().max(limits.text),
  root: z.string().max(4_096).describe("The folder to work in"),
  base_branch: z.string().max(limits.path).optional(),
  resumed: z.boolean(),
  instead: z.object({ block_id: blockId, task_id: taskId }).optional().describe("The dependency that was started"),
  warnings: warningsSchema,
  next: actionsSchema,
});

/** Long enough for the project's set-up of a work tree. */
export const executeDeadlineMs = 30 * 60_000;

export async function executeTask(
  { executions, ticketWork }: Pick<WorkbenchServices, "executions" | "ticketWork">,
  input: z.output<typeof executeInput>,
  call: Call,
): Promise<z.input<typeof executeOutput>> {
  const given = { ...input.execution_options, ...input.options } as Partial<ExecutionOptions>;
  const { block, task } = await ticketWork.resolveTask(call, input.block_id, input.task_id);
  const started = await executions.start(call, block, task, given);
  const { execution, resumed, branchCreated, instead } = started;
  const advice = await ticketWork.recordStart(call, execution);
  const [warnings, next] = [
    [...started.warnings, ...advice.warnings],
    [...started.next, ...advice.next],
  ];
  const { id, baseBranch, root, options: chosen } = execution;
  // A command only starts it: the assistant that `forge execute` waits for, or another one, takes it over.
  if (call.record.kind === "command") await executions.release(id);
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
    ...(next.length > 0 && { next }),
  };
}
