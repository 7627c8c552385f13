import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import type { AccessServices } from "../services.ts";

export const revokeToken = defineTool({
  name: "revoke_token",
  title: "Revoke an API token",
  description: "Revoke a token. Programs that use it are signed out at once.",
  effect: "send",
  surfaces: ["cli"],
  ofUser: () => true,
  input: z.object({ id: z.string().min(1).max(200).describe("The token's id, from the list of tokens") }),
  output: z.object({ revoked: z.string().max(200) }),
  async run({ login }: AccessServices, { id }, { signal }) {
    await (await login.account()).revokeToken(id, signal);
    return { revoked: id };
  },
});
