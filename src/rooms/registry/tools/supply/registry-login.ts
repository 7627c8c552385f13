import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { tokenNeeded } from "../../client/packages/errors.ts";
import { registryName } from "../../model/install-schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const registryLogin = defineTool({
  name: "registry_login",
  title: "Sign in to a registry",
  description: "Check a token with a registry server and save it in a file that only you can read.",
  effect: "act",
  surfaces: ["cli"],
  ofUser: () => true,
  input: z.object({
    registry: registryName,
    token: z
      .string()
      .regex(/^[\x21-\x7e]+$/)
      .max(4096)
      .optional()
      .describe("An API token of the server (on a terminal you are asked for it)"),
  }),
  output: z.object({ registry: z.string().max(100), name: z.string().max(200), email: z.string().max(400) }),
  async run({ library }: RegistryServices, { registry, token }, call) {
    if (token === undefined) throw tokenNeeded();
    return library.login(registry, token, call.signal);
  },
});
