import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { tokenSchema } from "../model/schemas.ts";
import type { AccessServices } from "../services.ts";

export const listTokens = defineTool({
  name: "list_tokens",
  title: "List API tokens",
  description: "List your API tokens and sign-ins, without their secrets. Admins see those of all members.",
  effect: "fetch",
  surfaces: ["cli"],
  input: z.object({}),
  output: z.array(tokenSchema).max(100_000),
  run: async ({ login }: AccessServices, _input, { signal }) => (await login.account()).listTokens(signal),
});
