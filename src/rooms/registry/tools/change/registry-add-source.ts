import * as z from "zod";
import { actionsSchema } from "../../../../kernel/action-schema.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { nameItYourself } from "../../client/errors.ts";
import { configChange, configScope } from "../../model/change-schemas.ts";
import { warnings } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const registryAddSource = defineTool({
  name: "registry_add_source",
  title: "Add a registry",
  description: "Add a registry to the configuration: a server, a registry.json, or a folder.",
  effect: "act",
  surfaces: ["cli"],
  ofUser: ({ global: isOwn }) => isOwn,
  input: z.object({
    name: z.string().min(1).max(100),
    url: z.string().min(1).max(2000).describe("Its address, or the path of a folder"),
    type: z
      .enum(["stockyard", "manifest", "folder"])
      .optional()
      .describe("Kind of registry (default: from the address)"),
    priority: z.int().min(1).max(1000).default(10).describe("The lowest number is asked first"),
    scopes: z
      .array(z.string().min(1).max(100))
      .max(50)
      .optional()
      .describe("Names in these scopes come from this registry only"),
    tokenEnv: z.string().regex(/^\w+$/).max(100).optional().describe("Environment variable with its token"),
    ...configScope,
  }),
  output: configChange.extend({ warnings, next: actionsSchema }),
  async run({ library }: RegistryServices, { global: isOwn, dryRun, ...registry }) {
    const { config } = library.open();
    const changed = await library.editor.addRegistry(registry, { scope: isOwn ? "user" : "project", config, dryRun });
    if (isOwn || registry.tokenEnv === undefined) return changed;
    // Everybody with the project gets its file, and anyone may change it.
    const unsent = `A token from ${registry.tokenEnv} is sent once your own configuration has this registry, too.`;
    return { ...changed, warnings: [unsent], next: [nameItYourself] };
  },
});
