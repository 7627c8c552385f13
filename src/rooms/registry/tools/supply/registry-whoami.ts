import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { registryName } from "../../model/install-schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const registryWhoami = defineTool({
  name: "registry_whoami",
  title: "Show your user in a registry",
  description: "Ask a registry which user your token belongs to.",
  effect: "fetch",
  surfaces: ["cli"],
  input: z.object({ registry: registryName }),
  output: z.object({
    registry: z.string().max(100),
    name: z.string().max(200),
    email: z.string().max(400),
    team: z.string().max(200),
  }),
  run: ({ library }: RegistryServices, { registry }, call) => library.open().publisher.whoami(registry, call.signal),
});
