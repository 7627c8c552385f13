import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { noBlockChanges } from "../../board/model/errors.ts";
import { changedBlock, nameSchema } from "../../board/model/schemas.ts";
import { blockAbout } from "../../board/service/mappers.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { blockId } from "../../model/task-model.ts";

export const forgeUpdateBlock = defineTool({
  name: "forge_update_block",
  title: "Change a block",
  description: "Change the name or the description of a block.",
  effect: "set",
  untrusted: "repository",
  surfaces: ["cli"],
  input: z.object({
    block_id: blockId,
    name: nameSchema.optional().describe("New name"),
    description: z.string().max(limits.text).optional().describe("New description"),
  }),
  output: changedBlock,
  about: blockAbout,
  async run({ board, guard }: Pick<WorkbenchServices, "board" | "guard">, { block_id, ...changes }, call) {
    if (Object.values(changes).every((value) => value === undefined)) throw noBlockChanges();
    const { id, name, revision } = await board.updateBlock(await guard.authorOf(call), block_id, changes);
    return { block_id: id, name, revision };
  },
});
