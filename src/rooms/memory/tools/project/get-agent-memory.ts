import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { escapeContent } from "../../../../kernel/text/escape-text.ts";
import { limits } from "../../model/limits.ts";
import { agentName } from "../../model/memory.ts";
import { list, problems, text } from "../../model/project-schemas.ts";
import type { MemoryServices } from "../../model/services.ts";
import { noteForeignMemories, noteProjectText } from "../../recall/note-foreign.ts";

const maxLearnings = 1_000;

export const getAgentMemory = defineTool({
  name: "get_agent_memory",
  title: "An agent's learnings",
  description:
    "What an agent has learned, from its learnings files and memories, newest first; with a query, the most relevant first.",
  effect: "read",
  input: z.object({
    agent: agentName.describe("File id, tag or persona: dev, atlas, Winston"),
    query: z.string().trim().max(limits.queryLength).optional(),
    last_n: z.int().min(1).max(maxLearnings).optional(),
  }),
  output: z.object({
    agents: list(text),
    total: z.number(),
    learnings: list(
      z.object({
        text: text,
        date: text.optional(),
        agent: text,
        source: text,
        score: z.number().optional(),
      }),
    ),
    degraded: z.boolean(),
    problems,
  }),
  async run(services: MemoryServices, { agent, query, last_n: limit = maxLearnings }, call) {
    const { memories, bmad } = services;
    // Before anything is looked up: an error names the agents that the project's files have.
    await noteProjectText(services, call);
    const readStored = (names: string[]) => memories.ofAgents(names);
    const found = await bmad.learnings(agent, async (names) => (await readStored(names)).length > 0);
    const remembered = await readStored(found.agents);
    await noteForeignMemories(services, call, remembered);
    const all = [
      ...remembered.map(({ text, createdAt, agent: by, id }) => ({
        text,
        date: new Date(createdAt).toISOString().slice(0, 10),
        agent: by,
        source: `memory:${id}`,
      })),
      ...found.learnings,
    ];
    const common = { agents: found.agents, total: all.length, problems: found.problems };
    if (query === undefined || query === "") {
      const newest = all.toSorted((a, b) => (b.date ?? "").localeCompare(a.date ?? ""));
      return { ...common, learnings: newest.slice(0, limit), degraded: false };
    }
    const { ranked, degraded } = await memories.rank(query, all, limit, call.signal);
    return { ...common, learnings: ranked, degraded };
  },
  present: (output) => escapeContent(output).value,
});
