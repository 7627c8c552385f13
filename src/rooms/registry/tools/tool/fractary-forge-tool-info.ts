import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { noteForeign } from "../../model/foreign.ts";
import { details, infoInput, jsonObject, reached, summary } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const fractaryForgeToolInfo = defineTool({
  name: "fractary_forge_tool_info",
  title: "Show a tool",
  description: "Read a tool's definition: its inputs and outputs as JSON Schema.",
  effect: "fetch",
  input: infoInput,
  output: summary.extend({
    ...details,
    inputSchema: jsonObject.optional(),
    outputSchema: jsonObject.optional(),
    ...reached,
  }),
  run: ({ library }: RegistryServices, query, call) =>
    library.open().reader.toolInfo(query, call.signal, (found) => noteForeign(call, [found])),
});
