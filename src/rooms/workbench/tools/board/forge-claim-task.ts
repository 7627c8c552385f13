import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { taskAbout } from "../../board/service/mappers.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { blockId, taskId, taskStatus } from "../../model/task-model.ts";

export const forgeClaimTask = defineTool({
  name: "forge_claim_task",
  title: "Claim a task",
  description:
    "Claim a task while you prepare work on it, so that no other assistant changes or executes it. If several claim it at the same time, only one succeeds. forge_execute_task claims the task automatically. Call again to renew.",
  effect: "set",
  untrusted: "repository",
  input: z.object({
    block_id: blockId,
    task_id: taskId,
    worker: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe("A unique name for you that outlives this connection"),
    minutes: z.number().int().min(1).max(480).optional().describe("Default 30"),
    release: z.boolean().optional(),
  }),
  output: z.object({
    block_id: z.string().max(limits.id),
    task_id: z.string().max(limits.id),
    claimed: z.boolean(),
    status: taskStatus,
    holder: z.string().max(1_000).optional(),
    until: z.string().max(40).optional(),
  }),
  about: taskAbout,
  async run(
    { board, guard }: Pick<WorkbenchServices, "board" | "guard">,
    { block_id, task_id, worker, minutes, release },
    call,
  ) {
    const before = await board.task(block_id, task_id);
    await guard.requireStart(call, before);
    await guard.noteRead(call, { tasks: [before] });
    const task = release
      ? await board.release(call, block_id, task_id)
      : await board.claim(call, block_id, task_id, { worker, minutes });
    const { id, blockId: block, status, claim } = task;
    return { block_id: block, task_id: id, claimed: claim !== undefined, status, ...claim };
  },
});
