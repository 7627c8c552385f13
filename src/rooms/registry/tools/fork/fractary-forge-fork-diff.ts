import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { jsonValue, name, text, version, warnings } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

const count = z.int().min(0);

export const fractaryForgeForkDiff = defineTool({
  name: "fractary_forge_fork_diff",
  title: "Compare a fork",
  description: "See what a fork changed, compared with the version it was made from.",
  effect: "fetch",
  untrusted: "others",
  input: z.object({ name, format: z.enum(["unified", "json"]).default("unified") }),
  output: z.object({
    name,
    upstreamVersion: version,
    upstreamLatest: version.optional(),
    localVersion: version,
    differences: z
      .array(
        z.object({
          field: z.string().max(8192),
          local: jsonValue.optional(),
          upstream: jsonValue.optional(),
          changeType: z.enum(["added", "removed", "modified"]),
        }),
      )
      .max(20_000),
    summary: z.object({ added: count, removed: count, modified: count }),
    diff: text.optional(),
    warnings,
  }),
  run: ({ library }: RegistryServices, input, call) => library.open().forks.diff(input.name, input.format, call.signal),
});
