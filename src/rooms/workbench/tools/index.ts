// Made by `npm run generate` of the files in this folder.
import { forgeCancelExecution } from "./forge-cancel-execution.ts";
import { forgeClaimTask } from "./forge-claim-task.ts";
import { forgeCommitChanges } from "./forge-commit-changes.ts";
import { forgeCreateBlock } from "./forge-create-block.ts";
import { forgeCreateTask } from "./forge-create-task.ts";
import { forgeEditFile } from "./forge-edit-file.ts";
import { forgeExecuteTask } from "./forge-execute-task.ts";
import { forgeExecuteTaskStream } from "./forge-execute-task-stream.ts";
import { forgeGetBlocks } from "./forge-get-blocks.ts";
import { forgeGetExecution } from "./forge-get-execution.ts";
import { forgeGetProjectInfo } from "./forge-get-project-info.ts";
import { forgeGetTaskDetails } from "./forge-get-task-details.ts";
import { forgeGetTasks } from "./forge-get-tasks.ts";
import { forgeListExecutions } from "./forge-list-executions.ts";
import { forgeListFiles } from "./forge-list-files.ts";
import { forgeReadFile } from "./forge-read-file.ts";
import { forgeRunTests } from "./forge-run-tests.ts";
import { forgeSearchFiles } from "./forge-search-files.ts";
import { forgeUpdateTask } from "./forge-update-task.ts";
import { forgeWatchExecution } from "./forge-watch-execution.ts";
import { forgeWriteFile } from "./forge-write-file.ts";

export const tools = [
  forgeCancelExecution,
  forgeClaimTask,
  forgeCommitChanges,
  forgeCreateBlock,
  forgeCreateTask,
  forgeEditFile,
  forgeExecuteTask,
  forgeExecuteTaskStream,
  forgeGetBlocks,
  forgeGetExecution,
  forgeGetProjectInfo,
  forgeGetTaskDetails,
  forgeGetTasks,
  forgeListExecutions,
  forgeListFiles,
  forgeReadFile,
  forgeRunTests,
  forgeSearchFiles,
  forgeUpdateTask,
  forgeWatchExecution,
  forgeWriteFile,
];
