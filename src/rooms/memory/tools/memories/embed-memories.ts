import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import type { MemoryServices } from "../../model/services.ts";

export const embedMemories = defineTool({
  name: "embed_memories",
  title: "Embed memories again",
  description: "Embed all memories that have no vector of the current model. Forge also does this in the background.",
  effect: "set",
  surfaces: ["cli"],
  deadlineMs: 3_600_000,
  input: z.object({}),
  output: z.object({ embedded: z.number() }),
  async run({ reembedder }: MemoryServices, _input, call) {
    const report = ({ done, total }: { done: number; total: number }) =>
      call.report({ progress: done, total, message: `${done} of ${total} memories` });
    return { embedded: await reembedder.run(report) };
  },
});
