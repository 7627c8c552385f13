import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { executionAbout, formatExecution } from "../../executions/mappers.ts";
import { executionSchema } from "../../executions/schemas.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { executionId } from "../../model/task-model.ts";

type Services = Pick<WorkbenchServices, "executions" | "ticketWork">;

const places = z.array(z.string().max(limits.text)).max(limits.list);

export const forgeCancelExecution = defineTool({
  name: "forge_cancel_execution",
  title: "Cancel an execution",
  description:
    "End an execution without completing its task, which becomes pending again. The branch and work tree are removed only if nothing would be lost; otherwise `kept` says where they are.",
  effect: "act",
  deadlineMs: 300_000,
  input: z.object({
    execution_id: executionId,
    reason: z.string().max(limits.line).optional().describe("Recorded in the timeline"),
  }),
  output: executionSchema.extend({ kept: places, removed: places }),
  about: executionAbout,
  async run({ executions, ticketWork }: Services, { execution_id, reason }, call) {
    const { execution, kept, removed } = await executions.cancel(call, execution_id, reason);
    await ticketWork.recordCancel(call, execution);
    return { ...formatExecution(execution), kept, removed };
  },
});
