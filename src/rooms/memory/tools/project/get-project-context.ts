import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { escapeContent } from "../../../../kernel/text/escape-text.ts";
import { agentView, contextItem, list, problems, text } from "../../model/project-schemas.ts";
import type { MemoryServices } from "../../model/services.ts";
import { noteProjectText } from "../../recall/note-foreign.ts";

const sections = ["all", "stack", "agents", "decisions", "architecture"] as const;
const items = list(contextItem);

export const getProjectContext = defineTool({
  name: "get_project_context",
  title: "BMAD project context",
  description:
    "What the project's BMAD files say: name, stack, agents, recent decisions, architecture; each with file and line.",
  effect: "read",
  input: z.object({ section: z.enum(sections).default("all") }),
  output: z.object({
    name: text,
    description: text.optional(),
    type: text.optional(),
    session_branch: text.optional(),
    installed: list(z.object({ name: text, version: text.optional(), file: text })),
    stack: items.optional(),
    agents: list(agentView).optional(),
    decisions: list(contextItem.extend({ architectural: z.literal(true).optional() })).optional(),
    architecture: items.optional(),
    shared: list(contextItem.extend({ section: text })).optional(),
    problems,
  }),
  async run(services: MemoryServices, { section }, call) {
    const { stack, agents, decisions, architecture, shared, ...rest } = await services.bmad.context();
    await noteProjectText(services, call);
    if (section === "all") return { ...rest, stack, agents, decisions, architecture, shared };
    return { ...rest, [section]: { stack, agents, decisions, architecture }[section] };
  },
  present: (output) => escapeContent(output).value,
});
