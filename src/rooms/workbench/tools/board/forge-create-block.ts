import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { reservedBlock } from "../../board/model/errors.ts";
import { changedBlock, nameSchema } from "../../board/model/schemas.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { port } from "../../model/task-model.ts";
import { ticketBlock } from "../../model/ticket-items.ts";

const ports = z.array(port.strict()).max(limits.list).optional();

export const forgeCreateBlock = defineTool({
  name: "forge_create_block",
  title: "Create a block",
  description: "Create a block: a part of the project with tasks of its own. Add its tasks with forge_create_task.",
  effect: "add",
  input: z.object({
    name: nameSchema.describe("Must be unique"),
    description: z.string().max(limits.text).optional(),
    block_id: z
      .string()
      .max(limits.id)
      .regex(/^[A-Za-z0-9_-]+$/, "must be letters, digits, _ and - only")
      .optional()
      .describe("Default: a new id"),
    inputs: ports.meta({ unadvertised: true }),
    outputs: ports.meta({ unadvertised: true }),
  }),
  output: changedBlock,
  async run({ board, guard }: Pick<WorkbenchServices, "board" | "guard">, { block_id, ...draft }, call) {
    // Tickets could not be executed any more.
    const isReserved = [draft.name, block_id].some((one) => one?.toLowerCase() === ticketBlock);
    if (isReserved && !call.principal.atKeyboard) throw reservedBlock();
    const { id, name, revision } = await board.createBlock(await guard.authorOf(call), { ...draft, id: block_id });
    return { block_id: id, name, revision };
  },
});
