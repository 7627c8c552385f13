import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import type { RegistryServices } from "../../services.ts";

const count = z.int().min(0);

export const fractaryForgeCacheClear = defineTool({
  name: "fractary_forge_cache_clear",
  title: "Clear the cache",
  description: "Remove what was fetched from registries; it is fetched again when needed.",
  effect: "act",
  input: z.object({
    type: z.enum(["manifests", "downloads", "all"]).default("all"),
    olderThan: z.number().min(0).max(36_500).optional().describe("Only entries older than this many days"),
    dryRun: z
      .boolean()
      .default(false)
      .describe("Change nothing; show what would be removed")
      .meta({ unadvertised: true }),
  }),
  output: z.object({
    success: z.boolean(),
    cleared: z.object({ manifests: count, downloads: count, totalSize: z.string().max(40) }),
  }),
  async run({ library }: RegistryServices, { type, olderThan, dryRun }) {
    return { success: true, cleared: await library.open().cache.clear(type, olderThan, dryRun) };
  },
});
