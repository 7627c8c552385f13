import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { name, names, path, reached, scope, shortText, text, version } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const fractaryForgePluginInfo = defineTool({
  name: "fractary_forge_plugin_info",
  title: "Show a plugin",
  description: "Read what a plugin contains. Use `remote` for one that is not installed.",
  effect: "fetch",
  untrusted: "others",
  input: z.object({
    plugin: name,
    version: z.string().min(1).max(256).optional(),
    remote: z.boolean().default(false),
  }),
  output: z.object({
    name,
    version,
    description: text.optional(),
    author: shortText.optional(),
    license: shortText.optional(),
    homepage: shortText.optional(),
    repository: shortText.optional(),
    keywords: names.optional(),
    components: z.object({ agents: names, tools: names, workflows: names, hooks: names, commands: names }),
    dependencies: z.record(z.string().max(1024), shortText).optional(),
    installed: z.object({ scope, path, installedVersion: version }).optional(),
    availableVersions: z.array(version).max(200).optional(),
    ...reached,
  }),
  run: ({ library }: RegistryServices, query, call) => library.open().plugins.info(query, call.signal),
});
