import type { ForgeRoom } from "../commons/house.ts";
import { describeTool } from "../hosts/mcp/catalog.ts";
import type { ToolFacts } from "../kernel/command.ts";

/** What a command is derived from: the tool's words, and all of its inputs, those too that assistants are not shown. */
export async function toolFacts(rooms: readonly ForgeRoom[], name: string | undefined): Promise<ToolFacts | undefined> {
  if (name === undefined) return undefined;
  for (const { tools = {} } of rooms) {
    const tool = Object.hasOwn(tools, name) ? await tools[name]?.() : undefined;
    if (tool) return { description: tool.description, inputSchema: describeTool(tool, "all").inputSchema };
  }
  return undefined;
}
