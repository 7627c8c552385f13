import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { installed, installScope, scopeOf } from "../../model/install-schemas.ts";
import { name } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const registryUpdate = defineTool({
  name: "registry_update",
  title: "Update plugins",
  description:
    "Install newer versions of installed plugins. A new major version, which may break users, is installed only with `--major`.",
  effect: "act",
  surfaces: ["cli"],
  // Without `global`, the user's own default decides where plugins are.
  ofUser: () => true,
  // Packages come over whatever network there is.
  deadlineMs: 600_000,
  input: z.object({
    plugin: name.optional().describe("The plugin (default: all)"),
    all: z.boolean().default(false).describe("All plugins, as without a name"),
    major: z.boolean().default(false).describe("Also to a new major version"),
    ...installScope,
  }),
  output: installed,
  async run({ library }: RegistryServices, { plugin, major, global: isGlobal, dryRun }, call) {
    const { config, installer } = library.open();
    return installer.update(plugin, major, {
      scope: scopeOf(isGlobal, config),
      dryRun,
      signal: call.signal,
      report: (progress) => call.report(progress),
    });
  },
});
