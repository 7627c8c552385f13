import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { blockSchema } from "../../board/model/schemas.ts";
import { blockAbout, formatBlock } from "../../board/service/mappers.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { blockId } from "../../model/task-model.ts";

export const forgeGetBlock = defineTool({
  name: "forge_get_block",
  title: "Show a block",
  description: "A block with its connections and tasks.",
  effect: "read",
  untrusted: "repository",
  surfaces: ["cli"],
  input: z.object({ block_id: blockId }),
  output: blockSchema,
  about: blockAbout,
  async run({ board, guard }: Pick<WorkbenchServices, "board" | "guard">, { block_id }, call) {
    const block = await board.block(block_id);
    const page = await board.tasks({ block: block.id, limit: limits.page });
    await guard.noteRead(call, { blocks: [block.id], tasks: page.tasks });
    return formatBlock(block, true, page);
  },
});
