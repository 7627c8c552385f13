import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { noteForeign } from "../../model/foreign.ts";
import { details, infoInput, kind, name, names, reached, summary, text, version } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const fractaryForgeAgentInfo = defineTool({
  name: "fractary_forge_agent_info",
  title: "Show an agent",
  description: "Read an agent in full: prompt, tools and dependencies, with what it extends.",
  effect: "fetch",
  input: infoInput.extend({
    showPrompt: z.boolean().optional().describe("Include the prompt").meta({ unadvertised: true }),
  }),
  output: summary.extend({
    ...details,
    tools: names.optional(),
    prompt: text.optional(),
    dependencies: z
      .array(z.object({ name, version, type: kind }))
      .max(1000)
      .optional(),
    ...reached,
  }),
  run: ({ library }: RegistryServices, query, call) =>
    library.open().reader.agentInfo(query, call.signal, (found) => noteForeign(call, [found])),
});
