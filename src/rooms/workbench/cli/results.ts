import type { z } from "zod";
import type { recordSchema } from "../executions/schemas.ts";
import type { forgeGetBlocks } from "../tools/board/forge-get-blocks.ts";
import type { forgeGetTaskDetails } from "../tools/board/forge-get-task-details.ts";
import type { forgeGetTasks } from "../tools/board/forge-get-tasks.ts";
import type { forgeExecuteTask } from "../tools/executions/forge-execute-task.ts";
import type { forgeFollowExecution } from "../tools/executions/forge-follow-execution.ts";
import type { forgeRunTests } from "../tools/executions/forge-run-tests.ts";

/** What tools return, as the commands print it. */

type ResultOf<Tool extends { output: z.ZodType }> = z.output<Tool["output"]>;

export type BlockResult = ResultOf<typeof forgeGetBlocks>["blocks"][number];
export type TaskResult = ResultOf<typeof forgeGetTasks>["tasks"][number];
export type TaskDetailsResult = ResultOf<typeof forgeGetTaskDetails>;
export type StartResult = ResultOf<typeof forgeExecuteTask>;
export type ExecutionResult = ResultOf<typeof forgeFollowExecution>;
export type RecordResult = z.output<typeof recordSchema>;
export type EventResult = RecordResult["timeline"][number];
export type TestResult = ResultOf<typeof forgeRunTests>;
