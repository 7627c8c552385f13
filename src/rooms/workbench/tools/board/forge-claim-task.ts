import * as z from "zod";
import { defineTool } from "../../../../kernel/tool.ts";
import { aboutTask } from "../../board/model/schemas.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { blockId, taskId, taskStatus } from "../../model/task-model.ts";

export const forgeClaimTask = defineTool({
  name: "forge_claim_task",
  title: "Be the one who works on a task",
  description: [
    "Call it before you prepare work on a task where other assistants may be at work too: exactly one of those who claim it at once gets it. forge_execute_task claims by itself.",
    "The claim lasts `minutes` (30 unless told) and ends by itself; call it again to make it last anew, with `release: true` to give it back. While it lasts no other assistant can change or execute the task.",
  ].join("\n"),
  effect: "set",
  input: z.object({
    block_id: blockId,
    task_id: taskId,
    worker: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe(
        "A name for you that outlives this connection: whoever gives it is you, so choose one that nobody else uses",
      ),
    minutes: z.number().int().min(1).max(480).optional(),
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
  about: aboutTask,
  async run({ board }: Pick<WorkbenchServices, "board">, { block_id, task_id, worker, minutes, release }, call) {
    const task = release
      ? await board.release(call, block_id, task_id)
      : await board.claim(call, block_id, task_id, { worker, minutes });
    const { id, blockId: block, status, claim } = task;
    return { block_id: block, task_id: id, claimed: claim !== undefined, status, ...claim };
  },
});
