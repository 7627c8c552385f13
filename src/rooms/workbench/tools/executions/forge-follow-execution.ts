import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { executionAbout, formatEvent, formatExecution } from "../../executions/mappers.ts";
import { executionSchema } from "../../executions/schemas.ts";
import { shortenEvent } from "../../executions/summary/fit-events.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";

/** A person may watch for as long as they like; but every call has an end. */
const maxWatchMs = 14 * 24 * 60 * 60_000;
const waitMs = 600_000;

export const forgeFollowExecution = defineTool({
  name: "forge_follow_execution",
  title: "Follow an execution",
  description: "Reports every event of an execution, from the first on, until it ends.",
  effect: "read",
  untrusted: "repository",
  surfaces: ["cli"],
  deadlineMs: maxWatchMs,
  input: z.object({ execution_id: z.string().min(1).max(limits.id) }),
  output: executionSchema,
  about: executionAbout,
  async run({ executions }: Pick<WorkbenchServices, "executions">, { execution_id }, call) {
    for (let after = 0; ; ) {
      const followed = await executions.follow(call, execution_id, {
        after,
        waitMs,
        onEvent: (event, execution) =>
          call.report({
            progress: event.seq,
            isEvent: true,
            message: event.message,
            meta: { event: shortenEvent(formatEvent(event)), execution: formatExecution(execution) },
          }),
      });
      // A long timeline comes in several parts.
      if (followed.execution.status !== "running" && followed.events.length === 0)
        return formatExecution(followed.execution);
      after = followed.last;
    }
  },
});
