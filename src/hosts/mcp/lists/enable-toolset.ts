import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { didYouMean } from "../../../kernel/text/closest.ts";
import { excerpt } from "../../../kernel/text/excerpt.ts";
import { enableToolsetName, type ToolEntry } from "./lists.ts";

/** The toolsets of one connection that can be enabled. */
export type ToolsetSwitch = {
  offered: Record<string, ToolEntry[]>;
  /** Lists a toolset from now on; false where there is no connection, and lists cannot change. */
  enable(toolset: string): boolean;
};

/** The tool behind the entry in the lists. Where lists cannot change, the answer has all that a call needs. */
export const enableToolset = defineTool({
  name: enableToolsetName,
  title: "List more tools",
  description: "List the other tools of a toolset.",
  effect: "read",
  surfaces: ["mcp"],
  input: z.object({ toolset: z.string().max(64) }),
  output: z.object({
    toolset: z.string(),
    listed: z.boolean(),
    tools: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        inputSchema: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  }),
  async run({ offered, enable }: ToolsetSwitch, { toolset }) {
    const entries = Object.hasOwn(offered, toolset) ? offered[toolset] : undefined;
    if (!entries) throw unknownToolset(toolset, Object.keys(offered));
    const listed = enable(toolset);
    const tools = entries.map(({ name, description, inputSchema }) => ({
      name,
      description,
      ...(!listed && { inputSchema }),
    }));
    return { toolset, listed, tools };
  },
});

function unknownToolset(name: string, known: string[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `Unknown toolset "${excerpt(name)}".`, {
    details: { known },
    next: [...didYouMean(name, known), `Use one of: ${known.join(", ")}.`],
  });
}
