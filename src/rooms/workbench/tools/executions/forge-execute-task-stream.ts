import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { taskAbout } from "../../board/service/mappers.ts";
import {
  executeDeadlineMs,
  executeOutput,
  executeStreamInput,
  executeTask,
} from "../../executions/start/execute-task.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { executionUri } from "../../resources/resources.ts";

export const forgeExecuteTaskStream = defineTool({
  name: "forge_execute_task_stream",
  title: "Start a task, with a resource to follow",
  description:
    "Like forge_execute_task, and returns `resource`: its subscribers are notified of every file, test run, issue and commit.",
  effect: "act",
  untrusted: "repository",
  deadlineMs: executeDeadlineMs,
  input: executeStreamInput,
  output: executeOutput.extend({ resource: z.string().max(limits.line) }),
  about: taskAbout,
  async run(services: Pick<WorkbenchServices, "executions" | "ticketWork">, input, call) {
    const started = await executeTask(services, input, call);
    return { ...started, resource: executionUri(started.execution_id) };
  },
});
