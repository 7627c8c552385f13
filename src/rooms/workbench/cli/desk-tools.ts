/** What the desk's operations go through; loaded with the first of them. */
export { formatEvent as shownEvent, formatExecution as shownExecution } from "../executions/mappers.ts";
export { forgeClaimTask } from "../tools/board/forge-claim-task.ts";
export { forgeCreateBlock } from "../tools/board/forge-create-block.ts";
export { forgeCreateTask } from "../tools/board/forge-create-task.ts";
export { forgeGetBlocks, formatBlock as shownBlock } from "../tools/board/forge-get-blocks.ts";
export { forgeGetTaskDetails } from "../tools/board/forge-get-task-details.ts";
export { forgeGetTasks } from "../tools/board/forge-get-tasks.ts";
export { forgeUpdateTask } from "../tools/board/forge-update-task.ts";
export { forgeCancelExecution } from "../tools/executions/forge-cancel-execution.ts";
export { forgeCommitChanges } from "../tools/executions/forge-commit-changes.ts";
export { forgeExecuteTask } from "../tools/executions/forge-execute-task.ts";
export { forgeGetExecution } from "../tools/executions/forge-get-execution.ts";
export { forgeListExecutions } from "../tools/executions/forge-list-executions.ts";
export { forgeRunTests } from "../tools/executions/forge-run-tests.ts";
