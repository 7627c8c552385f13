import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { noteForeign } from "../../model/foreign.ts";
import { listInput, page, reached, summary } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const fractaryForgeToolList = defineTool({
  name: "fractary_forge_tool_list",
  title: "List tools",
  description: "List the tools of this project, the user and the registries.",
  effect: "fetch",
  input: listInput,
  output: z.object({ tools: z.array(summary).max(1000), ...page, ...reached }),
  async run({ library }: RegistryServices, query, call) {
    const { items, ...rest } = await library.open().resolver.list("tool", query, call.signal);
    await noteForeign(call, items, rest.warnings);
    return { tools: items, ...rest };
  },
});
