import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { changeOptions, created, newDefinition } from "../../model/change-schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const registryCreateTool = defineTool({
  name: "registry_create_tool",
  title: "Create a tool",
  description: "Create the definition of a tool in this project.",
  effect: "act",
  surfaces: ["cli"],
  input: z.object({
    ...newDefinition,
    command: z.string().min(1).max(10_000).optional().describe("Command that it runs"),
    ...changeOptions,
  }),
  output: created,
  run: ({ library }: RegistryServices, { force, dryRun, ...tool }) => library.creator.tool(tool, { force, dryRun }),
});
