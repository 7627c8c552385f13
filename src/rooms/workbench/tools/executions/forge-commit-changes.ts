import * as z from "zod";
import { actionsSchema } from "../../../../kernel/action-schema.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { executionAbout, formatCounts } from "../../executions/mappers.ts";
import { countsSchema, warningsSchema } from "../../executions/schemas.ts";
import type { CommitOutcome } from "../../model/execution-model.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { executionId, taskStatus } from "../../model/task-model.ts";

type Services = Pick<WorkbenchServices, "executions" | "board" | "ticketWork">;

const path = z.string().max(4_096);
const maxFiles = 10_000;
const maxActions = 20_000;

const action = z.object({
  type: z.enum(["file_created", "file_modified", "file_deleted", "tests_run", "committed", "merged"]),
  path: path.optional(),
  lines: z.number().optional(),
  purpose: z.string().max(limits.text).optional(),
  passed: z.number().optional(),
  failed: z.number().optional(),
  coverage: z.number().optional(),
  commit: z.string().max(64).optional(),
  files: z.array(path).max(maxFiles).optional(),
  into: z.string().max(limits.path).optional(),
});

export const forgeCommitChanges = defineTool({
  name: "forge_commit_changes",
  title: "Commit, merge and complete the task",
  description:
    "Finish an execution: commits `files` (default: all of the task's), merges and deletes the branch, and completes the task. Commits nothing if changes would be left out or someone else changed files.",
  effect: "act",
  untrusted: "repository",
  core: true,
  deadlineMs: 60 * 60_000,
  input: z.object({
    message: z.string().trim().min(1).max(limits.message),
    files: z
      .array(z.string().min(1).max(limits.path))
      .max(5_000)
      .optional()
      .describe("[]: complete with what is committed"),
    complete: z.boolean().optional().meta({ default: true, description: "false: only commit" }),
    execution_id: executionId,
  }),
  output: z.object({
    commit_hash: z.string().max(64).optional(),
    branch_merged: z.boolean(),
    branch_deleted: z.boolean(),
    branch_kept: z.string().max(limits.path).optional(),
    merge: z.enum(["merged", "queued"]).optional().describe("queued: it is merged when other merges are done"),
    task_status: taskStatus,
    files_modified: z.array(path).max(maxFiles),
    summary: z.string().max(limits.text),
    actions_performed: z.array(action).max(maxActions),
    success: z.boolean(),
    tests: countsSchema.extend({ run_id: z.string().max(limits.id) }).optional(),
    hooks_output: z.string().max(limits.text).optional(),
    ticket: z.string().max(limits.id).optional().describe("The ticket that the task belongs to"),
    execution_id: z.string().max(limits.id),
    warnings: warningsSchema,
    next: actionsSchema,
  }),
  about: executionAbout,
  async run({ executions, board, ticketWork }: Services, input, call) {
    const { message, files, complete = true, execution_id: id } = input;
    const outcome = await executions.commit(call, id, { message, files, complete });
    const { execution, taskStatus: status, hooks, branchKept, commit } = outcome;
    const { ticketId } = await board.task(execution.blockId, execution.taskId);
    const ticket = status === "completed" ? ticketId : undefined;
    const advice = await ticketWork.recordFinish(call, outcome);
    const warnings = [...outcome.warnings, ...advice.warnings];
    const next = [...outcome.next, ...advice.next];
    return {
      ...(commit !== undefined && { commit_hash: commit }),
      branch_merged: outcome.branchMerged,
      branch_deleted: outcome.branchDeleted,
      ...(branchKept !== undefined && { branch_kept: branchKept }),
      ...(outcome.merge !== undefined && { merge: outcome.merge }),
      task_status: status,
      files_modified: outcome.files.slice(0, maxFiles),
      summary: outcome.summary.slice(0, limits.text),
      actions_performed: outcome.actions.slice(0, maxActions).map(limitFiles),
      success: complete ? status === "completed" || outcome.merge === "queued" : true,
      ...formatTests(outcome),
      ...(hooks !== undefined && { hooks_output: hooks.slice(-limits.text) }),
      ...(ticket !== undefined && { ticket }),
      execution_id: execution.id,
      ...(warnings.length > 0 && { warnings }),
      ...(next.length > 0 && { next }),
    };
  },
});

function limitFiles(performed: CommitOutcome["actions"][number]) {
  return performed.type === "committed" ? { ...performed, files: performed.files.slice(0, maxFiles) } : performed;
}

function formatTests({ tests }: CommitOutcome) {
  return tests ? { tests: { run_id: tests.id, ...formatCounts(tests) } } : {};
}
