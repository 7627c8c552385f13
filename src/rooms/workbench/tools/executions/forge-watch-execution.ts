import * as z from "zod";
import type { Action } from "../../../../kernel/action.ts";
import { actionsSchema } from "../../../../kernel/action-schema.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { executionAbout, formatEvents, formatExecution } from "../../executions/mappers.ts";
import { eventsSchema, executionSchema } from "../../executions/schemas.ts";
import { fitEvents } from "../../executions/summary/fit-events.ts";
import { reportEvent } from "../../executions/timeline/report-progress.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { executionId } from "../../model/task-model.ts";

const maxSeconds = 600;
const defaultSeconds = 60;

export const forgeWatchExecution = defineTool({
  name: "forge_watch_execution",
  title: "Watch an execution",
  description:
    "Follow what another assistant does in an execution: waits until it ends or the time is up, and returns the events.",
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
  output: z.object({
    execution: executionSchema,
    events: eventsSchema,
    last_event: z.number(),
    more_events: z.number().optional().describe("Left out to keep the answer short"),
    next: actionsSchema,
  }),
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
    const all = formatEvents(events);
    const shown = fitEvents(all);
    const left = all.length - shown.length;
    // Nothing is skipped: the next call starts after the last event that is in this result.
    const last_event = left > 0 ? (shown.at(-1)?.seq ?? last) : last;
    return {
      execution: formatExecution(execution),
      events: shown,
      last_event,
      ...(left > 0 && { more_events: left, next: readOn(execution.id, last_event) }),
    };
  },
});

function readOn(execution_id: string, after_event: number): Action[] {
  const input = { execution_id, after_event, wait_seconds: 0 };
  return [{ tool: "forge_watch_execution", input, why: "to read the next events" }];
}
