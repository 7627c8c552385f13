import * as z from "zod";
import { defineTool } from "../../../../kernel/tool.ts";
import {
  aboutTask,
  executeDeadlineMs,
  executeInput,
  executeOutput,
  executeTask,
} from "../../executions/start/execute-task.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { executionUri } from "../../resources/resources.ts";

export const forgeExecuteTaskStream = defineTool({
  name: "forge_execute_task_stream",
  title: "Begin a task, with a resource to follow it by",
  description: [
    "Call it instead of forge_execute_task when something is to follow the work live.",
    "The answer's `resource` is the execution; its subscribers hear of every file, test run, issue and commit.",
  ].join("\n"),
  effect: "act",
  deadlineMs: executeDeadlineMs,
  input: executeInput,
  output: executeOutput.extend({ resource: z.string().max(limits.line) }),
  about: aboutTask,
  async run(services: Pick<WorkbenchServices, "executions">, input, call) {
    const started = await executeTask(services, input, call);
    return { ...started, resource: executionUri(started.execution_id) };
  },
});
