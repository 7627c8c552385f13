import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { registryName } from "../../model/install-schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const registryLogout = defineTool({
  name: "registry_logout",
  title: "Sign out of a registry",
  description:
    "Remove the saved token of a registry from this machine. The token itself stays valid until it is revoked.",
  effect: "act",
  surfaces: ["cli"],
  ofUser: () => true,
  input: z.object({ registry: registryName }),
  output: z.object({ registry: z.string().max(100), removed: z.boolean() }),
  async run({ library }: RegistryServices, { registry }) {
    const { name } = library.open().publisher.server(registry).config;
    return { registry: name, removed: await library.credentials.remove(name) };
  },
});
