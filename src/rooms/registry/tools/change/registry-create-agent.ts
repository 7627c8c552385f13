import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { changeOptions, created, newDefinition } from "../../model/change-schemas.ts";
import { name } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const registryCreateAgent = defineTool({
  name: "registry_create_agent",
  title: "Create an agent",
  description: "Create the definition of an agent in this project.",
  effect: "act",
  surfaces: ["cli"],
  input: z.object({
    ...newDefinition,
    provider: z.enum(["anthropic", "openai", "google"]).optional().describe("Model provider (default: anthropic)"),
    model: z.string().min(1).max(200).optional().describe("Model name"),
    tools: z.array(name).max(200).optional().describe("Tools that it uses"),
    prompt: z.string().min(1).max(200_000).optional().describe("System prompt"),
    ...changeOptions,
  }),
  output: created,
  run: ({ library }: RegistryServices, { force, dryRun, ...agent }) => library.creator.agent(agent, { force, dryRun }),
});
