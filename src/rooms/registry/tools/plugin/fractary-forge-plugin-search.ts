import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { name, names, reached, shortText, tagsInput, text, version } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const fractaryForgePluginSearch = defineTool({
  name: "fractary_forge_plugin_search",
  title: "Search plugins",
  description: "Search the registries for plugins by words.",
  effect: "fetch",
  untrusted: "others",
  input: z.object({
    query: z.string().max(500),
    tags: tagsInput,
    limit: z.int().min(1).max(100).default(20),
    offset: z.int().min(0).max(1_000_000).default(0),
  }),
  output: z.object({
    results: z
      .array(
        z.object({
          name,
          version,
          description: text.optional(),
          author: shortText.optional(),
          tags: names.optional(),
          downloads: z.number().optional(),
          registry: shortText,
        }),
      )
      .max(100),
    total: z.int().min(0),
    query: z.string().max(500),
    ...reached,
  }),
  run: ({ library }: RegistryServices, query, call) => library.open().plugins.search(query, call.signal),
});
