import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { readMemories } from "../../formats/read-memories.ts";
import { limits } from "../../model/limits.ts";
import { agentName, collections } from "../../model/memory.ts";
import type { MemoryServices } from "../../model/services.ts";

const batchSize = 500;

export const importMemories = defineTool({
  name: "import_memories",
  title: "Import memories",
  description:
    "Import memories.json, a Markdown file of learnings, or a file that was exported before. Memories that exist already are not changed; memories that contain a secret are left out and counted.",
  effect: "set",
  surfaces: ["cli"],
  deadlineMs: 600_000,
  input: z.object({
    text: z.string().max(limits.importBytes),
    file: z.string().max(limits.pathLength).describe("The file's name, which is kept as the source."),
    type: z.enum(collections).optional().describe("Collection for entries that name none (default: agent-learnings)."),
    agent: agentName.optional().describe("Agent for entries that name none (default: from the file)."),
  }),
  output: z.object({
    found: z.number(),
    created: z.number(),
    known: z.number(),
    skipped: z.array(z.object({ line: z.number().optional(), why: z.string().max(300) })).max(limits.imported),
  }),
  async run({ memories }: MemoryServices, { text, file, type, agent }, call) {
    const { entries, skipped } = readMemories(text, { file, type, agent });
    let created = 0;
    let done = 0;
    for (let at = 0; at < entries.length; at += batchSize) {
      const usable = entries.slice(at, at + batchSize).filter((entry) => {
        const why = memories.refusal(entry);
        if (why !== undefined) skipped.push({ line: entry.line, why });
        return why === undefined;
      });
      const stored = await memories.rememberAll(call, usable, call.signal);
      created += stored.filter((one) => one.created).length;
      done += usable.length;
      call.report({ progress: at + batchSize, total: entries.length, message: `${done} memories` });
    }
    return { found: entries.length, created, known: done - created, skipped: skipped.slice(0, limits.imported) };
  },
});
