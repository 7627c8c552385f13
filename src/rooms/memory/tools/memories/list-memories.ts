import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { agentName, collections, memoryView, toView } from "../../model/memory.ts";
import type { MemoryServices } from "../../model/services.ts";

const maxPage = 1_000;

export const listMemories = defineTool({
  name: "list_memories",
  title: "List memories",
  description: "The memories of this project, newest first.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({
    type: z.enum(collections).optional().describe("Only this collection."),
    agent: agentName.optional().describe("Only memories of this agent."),
    limit: z.int().min(1).max(maxPage).default(50).describe("How many memories at most."),
    before: z.int().min(1).optional().describe("Continue after the previous page, with the value that it printed."),
  }),
  output: z.object({ memories: z.array(memoryView).max(maxPage), next: z.number().optional() }),
  async run({ memories }: MemoryServices, input) {
    const { memories: found, next } = await memories.list(input);
    return { memories: found.map(toView), ...(next !== undefined && { next }) };
  },
});
