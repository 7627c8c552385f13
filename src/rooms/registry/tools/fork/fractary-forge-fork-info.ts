import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { kind, name, path, version, warnings } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const fractaryForgeForkInfo = defineTool({
  name: "fractary_forge_fork_info",
  title: "Show a fork",
  description: "Read where a fork comes from, and whether its upstream has a newer version.",
  effect: "fetch",
  untrusted: "others",
  input: z.object({ name }),
  output: z.object({
    name,
    type: kind,
    path,
    upstream: z.object({ name, version, currentVersion: version }),
    localVersion: version,
    createdAt: z.string().max(100),
    lastMerged: z.string().max(100).optional(),
    hasUpstreamUpdate: z.boolean(),
    warnings,
  }),
  run: ({ library }: RegistryServices, input, call) => library.open().forks.info(input.name, call.signal),
});
