import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { path } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

const size = z.string().max(40);
const count = z.int().min(0);

export const fractaryForgeCacheStats = defineTool({
  name: "fractary_forge_cache_stats",
  title: "Cache statistics",
  description: "Read how much the registry cache holds, and where it is.",
  effect: "read",
  input: z.object({}),
  output: z.object({
    manifests: z.object({ count, size, oldestEntry: z.string().max(40), newestEntry: z.string().max(40) }),
    downloads: z.object({ count, size }),
    totalSize: size,
    location: path,
    legacy: z.object({ location: path, entries: count }).optional(),
  }),
  run: ({ library }: RegistryServices) => library.open().cache.stats(),
});
