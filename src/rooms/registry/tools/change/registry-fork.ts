import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { changeOptions } from "../../model/change-schemas.ts";
import { kind, name, path, version } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const registryFork = defineTool({
  name: "registry_fork",
  title: "Fork a definition",
  description: "Copy an agent or tool into this project, to change it and keep following its upstream.",
  effect: "act",
  surfaces: ["cli"],
  input: z.object({
    source: name.describe("What to copy, such as `reviewer` or `@scope/reviewer@^1.2.0`"),
    name: name.optional().describe("Name of the copy (default: the same)"),
    type: kind.optional().describe("Only agents, or only tools"),
    ...changeOptions,
  }),
  output: z.object({ name, type: kind, path, upstream: z.object({ name, version }), dryRun: z.boolean() }),
  run: ({ library }: RegistryServices, input, call) => library.open().forks.create(input, call.signal),
});
