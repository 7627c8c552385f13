/** What the desk's operations go through; loaded with the first of them. */
export { shownEvent, shownExecution } from "../executions/wire.ts";
export { forgeCancelExecution } from "../tools/forge-cancel-execution.ts";
export { forgeClaimTask } from "../tools/forge-claim-task.ts";
export { forgeCommitChanges } from "../tools/forge-commit-changes.ts";
export { forgeCreateBlock } from "../tools/forge-create-block.ts";
export { forgeCreateTask } from "../tools/forge-create-task.ts";
export { forgeExecuteTask } from "../tools/forge-execute-task.ts";
export { forgeGetBlocks, shownBlock } from "../tools/forge-get-blocks.ts";
export { forgeGetExecution } from "../tools/forge-get-execution.ts";
export { forgeGetTaskDetails } from "../tools/forge-get-task-details.ts";
export { forgeGetTasks } from "../tools/forge-get-tasks.ts";
export { forgeListExecutions } from "../tools/forge-list-executions.ts";
export { forgeRunTests } from "../tools/forge-run-tests.ts";
export { forgeUpdateTask } from "../tools/forge-update-task.ts";
