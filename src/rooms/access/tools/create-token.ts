import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { allScopes } from "../model/roles.ts";
import { newTokenSchema } from "../model/schemas.ts";
import type { AccessServices } from "../services.ts";

export const createToken = defineTool({
  name: "create_token",
  title: "Create an API token",
  description:
    "Create an API token for a program, such as a CI job, that works in your name. Its secret is shown only once; give it " +
    "to the program as FORGE_TOKEN, with FORGE_API_URL. It never has more rights than you.",
  effect: "send",
  surfaces: ["cli"],
  ofUser: () => true,
  input: z.object({
    name: z.string().trim().min(1).max(100).describe("What the token is for"),
    scopes: z
      .array(z.enum(allScopes))
      .min(1, "a token needs at least one scope")
      .max(50)
      .prefault([])
      .describe("What the token may do"),
    days: z.int().min(1).max(3_650).optional().describe("Expire after N days (default: never)"),
  }),
  output: newTokenSchema,
  run: async ({ login }: AccessServices, token, { signal }) => (await login.account()).createToken(token, signal),
});
