import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { limits } from "../../model/limits.ts";
import { agentName, collections } from "../../model/memory.ts";
import type { MemoryServices } from "../../model/services.ts";

export const rememberStructured = defineTool({
  name: "remember_structured",
  title: "Remember something",
  description: "Keep what is worth knowing in later sessions. Never secrets.",
  effect: "set",
  core: true,
  input: z.object({
    type: z.enum(collections),
    agent: agentName.describe("Your role, like dev"),
    text: z.string().min(1).max(limits.textLength),
    tags: z.array(z.string().max(limits.tagLength)).max(limits.tags).optional(),
  }),
  output: z.object({
    id: z.string().max(36),
    historic_id: z.string().max(36),
    type: z.enum(collections),
    created: z.boolean().describe("False if it was already known"),
    degraded: z.boolean().describe("It was stored, but is found by words alone for now, or is not shared yet"),
  }),
  async run({ memories, foreignTexts }: MemoryServices, input, call) {
    const origin = call.principal.atKeyboard ? "user" : "assistant";
    const { memory, created, degraded } = await memories.remember(await foreignTexts.authorOf(call), {
      ...input,
      origin,
    });
    call.record.about.push(`memory:${memory.id}`);
    return { id: memory.id, historic_id: memory.historicId, type: memory.type, created, degraded };
  },
});
