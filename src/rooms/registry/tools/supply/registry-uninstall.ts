import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { installScope, scopeOf } from "../../model/install-schemas.ts";
import { name, path } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const registryUninstall = defineTool({
  name: "registry_uninstall",
  title: "Uninstall a plugin",
  description: "Remove an installed plugin and its entry in the lock file. Its dependencies stay installed.",
  effect: "act",
  surfaces: ["cli"],
  // Without `global`, the user's own default decides where plugins are.
  ofUser: () => true,
  input: z.object({ plugin: name, ...installScope }),
  output: z.object({ name, path, dryRun: z.boolean() }),
  async run({ library }: RegistryServices, { plugin, global: isGlobal, dryRun }, call) {
    const { config, installer } = library.open();
    return installer.uninstall(plugin, { scope: scopeOf(isGlobal, config), dryRun, signal: call.signal });
  },
});
