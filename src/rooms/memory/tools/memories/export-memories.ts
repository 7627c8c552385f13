import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { exportFormats, writeMemories } from "../../formats/write-memories.ts";
import { agentName, collections, type Memory } from "../../model/memory.ts";
import type { MemoryServices } from "../../model/services.ts";

const pageSize = 1_000;

export const exportMemories = defineTool({
  name: "export_memories",
  title: "Export memories",
  description:
    "All memories as text, to be imported elsewhere: JSON with everything, or Markdown as the BMAD kit writes it.",
  effect: "read",
  surfaces: ["cli"],
  deadlineMs: 120_000,
  input: z.object({
    format: z.enum(exportFormats).default("json").describe("Format of the output."),
    type: z.enum(collections).optional().describe("Only this collection."),
    agent: agentName.optional().describe("Only memories of this agent."),
  }),
  output: z.object({ count: z.number(), text: z.string() }),
  async run({ memories }: MemoryServices, { format, type, agent }) {
    const all: Memory[] = [];
    for (let before: number | undefined; ; ) {
      const page = await memories.list({ type, agent, before, limit: pageSize });
      all.push(...page.memories);
      before = page.next;
      if (before === undefined) return { count: all.length, text: writeMemories(all.reverse(), format) };
    }
  },
});
