import type { z } from "zod";
import type { Progress } from "../../../kernel/call.ts";
import type { eventSchema, executionSchema, recordSchema } from "../executions/schemas.ts";
import type { ExecutionDiff } from "../model/execution-model.ts";
import type { ExecutionStatus, TaskStatus } from "../model/limits.ts";
import type { ImportOutcome, ImportRequest } from "../model/task-model.ts";
import type { forgeClaimTask } from "../tools/board/forge-claim-task.ts";
import type { forgeCreateBlock } from "../tools/board/forge-create-block.ts";
import type { forgeCreateTask } from "../tools/board/forge-create-task.ts";
import type { forgeGetBlocks } from "../tools/board/forge-get-blocks.ts";
import type { forgeGetTaskDetails } from "../tools/board/forge-get-task-details.ts";
import type { forgeGetTasks } from "../tools/board/forge-get-tasks.ts";
import type { forgeUpdateTask } from "../tools/board/forge-update-task.ts";
import type { forgeCancelExecution } from "../tools/executions/forge-cancel-execution.ts";
import type { forgeCommitChanges } from "../tools/executions/forge-commit-changes.ts";
import type { forgeExecuteTask } from "../tools/executions/forge-execute-task.ts";
import type { forgeListExecutions } from "../tools/executions/forge-list-executions.ts";
import type { forgeRunTests } from "../tools/executions/forge-run-tests.ts";

type Schemas = { input: z.ZodType; output: z.ZodType };
type Asked<Of extends Schemas> = z.input<Of["input"]>;
type Told<Of extends Schemas> = z.output<Of["output"]>;
/** What a command does through a tool's own rules: it takes what the tool takes and says what it says. */
type Mirror<Of extends Schemas> = (asked: Asked<Of>) => Promise<Told<Of>>;
type LongMirror<Of extends Schemas> = (asked: Asked<Of>, report?: (progress: Progress) => void) => Promise<Told<Of>>;

export type ShownBlock = Told<typeof forgeGetBlocks>["blocks"][number];
export type ShownTask = Told<typeof forgeGetTasks>["tasks"][number];
export type ShownTaskPage = Told<typeof forgeGetTasks>;
export type ShownTaskDetails = Told<typeof forgeGetTaskDetails>;
export type ChangedTask = Told<typeof forgeUpdateTask>;
type ClaimedTask = Told<typeof forgeClaimTask>;
export type ShownExecution = z.output<typeof executionSchema>;
export type ShownRecord = z.output<typeof recordSchema>;
export type ShownEvent = z.output<typeof eventSchema>;
export type StartedExecution = Told<typeof forgeExecuteTask>;
export type ShownTests = Told<typeof forgeRunTests>;
export type ShownCommit = Told<typeof forgeCommitChanges>;
export type CancelledExecution = Told<typeof forgeCancelExecution>;

type BlockChanges = { name?: string | undefined; description?: string | undefined };

/**
 * The workbench as a person's commands see it. Each operation is an entry in the ledger under the command's name; what it
 * returns is what the tool of that kind returns.
 */
export type WorkbenchDesk = {
  blocks: Mirror<typeof forgeGetBlocks>;
  /** With its connections and tasks. */
  block(ref: string): Promise<ShownBlock>;
  createBlock: Mirror<typeof forgeCreateBlock>;
  editBlock(ref: string, changes: BlockChanges): Promise<Told<typeof forgeCreateBlock>>;
  importBlocks(request: ImportRequest): Promise<ImportOutcome>;
  /** The board as the text of a `blocks_config.json`. */
  exportBlocks(): Promise<string>;
  /** The same into the project's own; what the board does not know is replaced only where told. */
  exportOwnFile(overwrite: boolean): Promise<{ path: string; blocks: number; tasks: number }>;
  tasks: Mirror<typeof forgeGetTasks>;
  /** What can be executed now, and what waits, with why. */
  queue(block: string | undefined, limit: number): Promise<{ ready: ShownTaskPage; waiting: ShownTaskPage }>;
  task: Mirror<typeof forgeGetTaskDetails>;
  createTask: Mirror<typeof forgeCreateTask>;
  updateTask: Mirror<typeof forgeUpdateTask>;
  claimTask: Mirror<typeof forgeClaimTask>;
  releaseTask(asked: Pick<Asked<typeof forgeClaimTask>, "block_id" | "task_id">): Promise<ClaimedTask>;
  executions: Mirror<typeof forgeListExecutions>;
  /** The id that begins so, or the only open one; undefined where nothing was typed and none is open. */
  executionId(typed: string | undefined): Promise<string | undefined>;
  execution(id: string): Promise<ShownRecord>;
  start: LongMirror<typeof forgeExecuteTask>;
  /** Everything that has happened in it and happens, until it ends. */
  watch(id: string, onEvent: (event: ShownEvent, execution: ShownExecution) => void): Promise<ShownExecution>;
  diff(id: string): Promise<ExecutionDiff>;
  runTests: LongMirror<typeof forgeRunTests>;
  commit: LongMirror<typeof forgeCommitChanges>;
  cancel: Mirror<typeof forgeCancelExecution>;
  /** For a shell's Tab key. */
  suggest: {
    blocks(): Promise<{ id: string; name: string }[]>;
    tasks(block: string | undefined): Promise<{ blockId: string; id: string; name: string; status: TaskStatus }[]>;
    executions(): Promise<{ id: string; task: string; status: ExecutionStatus }[]>;
  };
};
