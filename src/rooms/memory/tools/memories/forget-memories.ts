import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import type { MemoryServices } from "../../model/services.ts";

const maxIds = 100;

export const forgetMemories = defineTool({
  name: "forget_memories",
  title: "Forget memories",
  description: "Delete memories by id. Their text is removed from the store.",
  effect: "remove",
  surfaces: ["cli"],
  input: z.object({ ids: z.array(z.string().max(64)).min(1).max(maxIds).describe("Ids of the memories.") }),
  output: z.object({ forgotten: z.array(z.string().max(36)).max(maxIds) }),
  async run({ memories }: MemoryServices, { ids }, call) {
    const gone = await memories.forget(call, ids);
    call.record.about.push(...gone.map(({ id }) => `memory:${id}`));
    return { forgotten: gone.map(({ id }) => id) };
  },
});
