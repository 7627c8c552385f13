import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { configChange, configScope } from "../../model/change-schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const registryRemoveSource = defineTool({
  name: "registry_remove_source",
  title: "Remove a registry",
  description: "Remove a registry from the configuration.",
  effect: "act",
  surfaces: ["cli"],
  ofUser: ({ global: isOwn }) => isOwn,
  input: z.object({ name: z.string().min(1).max(100), ...configScope }),
  output: configChange,
  async run({ library }: RegistryServices, { name, global: isOwn, dryRun }) {
    const { config } = library.open();
    return library.editor.removeRegistry(name, { scope: isOwn ? "user" : "project", config, dryRun });
  },
});
