import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { installScope, scopeOf } from "../../model/install-schemas.ts";
import { path, warnings } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const registryLock = defineTool({
  name: "registry_lock",
  title: "Write the lock file",
  description: "Record the plugins that are installed here, and all agents and tools, with their versions and hashes.",
  effect: "act",
  surfaces: ["cli"],
  // Without `global`, the user's own default decides where plugins are.
  ofUser: () => true,
  input: z.object({
    update: z.boolean().default(false).describe("Update all plugins first"),
    force: z.boolean().default(false).describe("Accepted for compatibility; an existing lock file is always replaced"),
    ...installScope,
  }),
  output: z.object({ path, plugins: z.int(), parts: z.int(), dryRun: z.boolean(), warnings }),
  async run({ library }: RegistryServices, { update, global: isGlobal, dryRun }, call) {
    const { config, installer } = library.open();
    const options = { scope: scopeOf(isGlobal, config), dryRun, signal: call.signal };
    if (update) await installer.update(undefined, false, { ...options, report: (progress) => call.report(progress) });
    return installer.lock(options);
  },
});
