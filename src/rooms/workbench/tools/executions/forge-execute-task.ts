import { defineTool } from "../../../../kernel/tool.ts";
import {
  aboutTask,
  executeDeadlineMs,
  executeInput,
  executeOutput,
  executeTask,
} from "../../executions/start/execute-task.ts";
import type { WorkbenchServices } from "../../model/services.ts";

export const forgeExecuteTask = defineTool({
  name: "forge_execute_task",
  title: "Begin a task",
  description: [
    "Call it when you begin to work on a task: it checks what the task waits for, claims it for you and makes its branch `task-<id>-<slug>`.",
    'It answers at once: then make the changes in `root` (with your own file tools or forge_write_file), forge_run_tests, and forge_commit_changes, which merges and completes the task. In place it needs a clean tree; `options: {isolation: "worktree"}` works in a folder of its own. Called again by you it resumes.',
  ].join("\n"),
  effect: "act",
  deadlineMs: executeDeadlineMs,
  input: executeInput,
  output: executeOutput,
  about: aboutTask,
  run: (services: Pick<WorkbenchServices, "executions">, input, call) => executeTask(services, input, call),
});
