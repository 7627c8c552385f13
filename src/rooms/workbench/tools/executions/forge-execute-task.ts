import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { taskAbout } from "../../board/service/mappers.ts";
import { executeDeadlineMs, executeInput, executeOutput, executeTask } from "../../executions/start/execute-task.ts";
import type { WorkbenchServices } from "../../model/services.ts";

export const forgeExecuteTask = defineTool({
  name: "forge_execute_task",
  title: "Start a task",
  description:
    'Start or resume a task or a ticket (`block_id: "tickets"`, `task_id: "T-001"`): claims it and creates its branch. Then change files in `root`, run forge_run_tests, and finish with forge_commit_changes.',
  effect: "act",
  untrusted: "repository",
  core: true,
  deadlineMs: executeDeadlineMs,
  input: executeInput,
  output: executeOutput,
  about: taskAbout,
  run: (services: Pick<WorkbenchServices, "executions" | "ticketWork">, input, call) =>
    executeTask(services, input, call),
});
