import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { path, text } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const registryInit = defineTool({
  name: "registry_init",
  title: "Create a registry configuration",
  description: "Create .fractary/config.json with the default settings.",
  effect: "act",
  surfaces: ["cli"],
  ofUser: ({ global: isOwn }) => isOwn,
  input: z.object({
    organization: z.string().min(1).max(200).optional().describe("Your organization's name"),
    registry: z
      .string()
      .min(1)
      .max(2000)
      .optional()
      .describe("Address of your team's registry, added before the default one"),
    global: z.boolean().default(false).describe("Write your own configuration, not the project's"),
    force: z.boolean().default(false).describe("Replace an existing file"),
    dryRun: z.boolean().default(false).describe("Change nothing; show what would be written"),
    validateOnly: z.boolean().default(false).describe("Only check the configuration that is there"),
  }),
  output: z.object({ path, dryRun: z.boolean(), text, sources: z.array(path).max(20) }),
  async run({ library }: RegistryServices, { organization, registry, global: isOwn, force, dryRun, validateOnly }) {
    if (validateOnly) return { path: "", dryRun: true, text: "", sources: library.open().config.sources };
    const scope = isOwn ? ("user" as const) : ("project" as const);
    const changed = await library.editor.init({ scope, organization, registry, force, dryRun });
    return { ...changed, sources: [changed.path] };
  },
});
