import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { kind, name, path, reached, summary, version } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const registryListVersions = defineTool({
  name: "registry_list_versions",
  title: "List versions",
  description: "List the versions of an agent or tool, and where each of them is.",
  effect: "fetch",
  surfaces: ["cli"],
  input: z.object({ name: name.describe("The agent's or tool's name"), type: kind.default("agent") }),
  output: z.object({
    name,
    type: kind,
    versions: z.array(z.object({ version, source: summary.shape.source, path })).max(10_000),
    ...reached,
  }),
  async run({ library }: RegistryServices, { name: wanted, type }, call) {
    return { name: wanted, type, ...(await library.open().resolver.versions(type, wanted, call.signal)) };
  },
});
