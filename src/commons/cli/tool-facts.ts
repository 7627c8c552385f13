import * as z from "zod";
import type { ToolFacts } from "../../kernel/definitions/command.ts";
import type { ForgeRoom } from "../house.ts";

/** What a command is derived from: the tool's description and all of its inputs, also those not shown to assistants. */
export async function toolFacts(rooms: readonly ForgeRoom[], name: string | undefined): Promise<ToolFacts | undefined> {
  if (name === undefined) return undefined;
  for (const { tools = {} } of rooms) {
    const tool = Object.hasOwn(tools, name) ? await tools[name]?.() : undefined;
    if (tool) return { description: tool.description, inputSchema: z.toJSONSchema(tool.input, { io: "input" }) };
  }
  return undefined;
}
