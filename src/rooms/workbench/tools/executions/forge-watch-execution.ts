import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { executionAbout, formatEvents, formatExecution } from "../../executions/mappers.ts";
import { eventsSchema, executionSchema } from "../../executions/schemas.ts";
import { reportEvent } from "../../executions/timeline/report-progress.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { executionId } from "../../model/task-model.ts";

const maxSeconds = 600;
const defaultSeconds = 60;

export const forgeWatchExecution = defineTool({
  name: "forge_watch_execution",
  title: "Watch an execution",
  description:
    "Follow what another assistant does in an execution: waits until it ends or the time is over, and returns the events.",
  effect: "read",
  untrusted: "repository",
  deadlineMs: (maxSeconds + 60) * 1_000,
  input: z.object({
    execution_id: executionId,
    wait_seconds: z.number().min(0).max(maxSeconds).optional().describe(`Default ${defaultSeconds}`),
    after_event: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe("`last_event` of the previous result; default: from now on"),
  }),
  output: z.object({ execution: executionSchema, events: eventsSchema, last_event: z.number() }),
  about: executionAbout,
  async run({ executions }: Pick<WorkbenchServices, "executions">, input, call) {
    const { execution_id, wait_seconds = defaultSeconds, after_event: after } = input;
    let reported = 0;
    const { execution, events, last } = await executions.follow(call, execution_id, {
      after,
      waitMs: wait_seconds * 1_000,
      onEvent: ({ message, details }, now) => {
        const { path } = details;
        reportEvent(call, now, ++reported, message, typeof path === "string" ? [path] : []);
      },
    });
    if (reported === 0) reportEvent(call, execution, 0, `nothing new in ${execution.id}`);
    return { execution: formatExecution(execution), events: formatEvents(events), last_event: last };
  },
});
