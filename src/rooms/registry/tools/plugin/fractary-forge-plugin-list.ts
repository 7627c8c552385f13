import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { name, path, scope, version, warnings } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const fractaryForgePluginList = defineTool({
  name: "fractary_forge_plugin_list",
  title: "List plugins",
  description: "List installed plugins. Use `outdated` for those with a newer version in a registry.",
  effect: "fetch",
  untrusted: "others",
  input: z.object({
    scope: z.enum(["global", "local", "all"]).default("all"),
    outdated: z.boolean().default(false),
  }),
  output: z.object({
    plugins: z
      .array(
        z.object({ name, version, scope, path, hasUpdate: z.boolean().optional(), latestVersion: version.optional() }),
      )
      .max(10_000),
    total: z.int().min(0),
    warnings,
  }),
  run: ({ library }: RegistryServices, query, call) => library.open().plugins.list(query, call.signal),
});
