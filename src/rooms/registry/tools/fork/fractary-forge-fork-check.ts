import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { kind, name, version, warnings } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const fractaryForgeForkCheck = defineTool({
  name: "fractary_forge_fork_check",
  title: "Check forks for updates",
  description: "See which forks have a newer upstream version, and whether it may break them.",
  effect: "fetch",
  untrusted: "others",
  input: z.object({ name: name.optional().describe("Default: all forks") }),
  output: z.object({
    updates: z
      .array(
        z.object({ name, type: kind, localVersion: version, upstreamVersion: version, breakingChanges: z.boolean() }),
      )
      .max(50_000),
    total: z.int().min(0),
    hasUpdates: z.boolean(),
    warnings,
  }),
  run: ({ library }: RegistryServices, input, call) => library.open().forks.check(input.name, call.signal),
});
