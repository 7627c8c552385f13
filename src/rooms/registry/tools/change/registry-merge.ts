import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { name, path, text, version } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

const fields = z.array(z.string().max(8192)).max(20_000);

export const registryMerge = defineTool({
  name: "registry_merge",
  title: "Merge upstream changes",
  description:
    "Bring the changes of a newer upstream version into a fork. Changes of one side only are kept. If both sides changed the same field or line, nothing is written by default.",
  effect: "act",
  surfaces: ["cli"],
  input: z.object({
    name: name.describe("The fork"),
    upstream: name.optional().describe("What to merge, such as `reviewer@2.0.0` (default: the latest)"),
    strategy: z
      .enum(["auto", "local", "upstream", "manual"])
      .default("auto")
      .describe("Whose version counts in a conflict; `manual` writes both with markers"),
    base: version.optional().describe("Version that the fork was made from (default: as recorded)"),
    dryRun: z.boolean().default(false).describe("Change nothing; show the result"),
  }),
  output: z.object({
    name,
    path,
    from: version,
    to: version,
    changed: fields,
    conflicts: fields,
    dryRun: z.boolean(),
    text,
  }),
  run: ({ library }: RegistryServices, input, call) => library.open().forks.merge(input, call.signal),
});
