import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { resetLinkSchema } from "../model/schemas.ts";
import type { AccessServices } from "../services.ts";

export const createResetLink = defineTool({
  name: "create_reset_link",
  title: "Create a password reset link",
  description:
    "Create a link for a member of your team to set a new password. It works once, within an hour; send it to them " +
    "privately. Using it signs out all their browsers, devices and tokens. You must be an admin of every team they are in.",
  effect: "send",
  surfaces: ["cli"],
  ofUser: () => true,
  input: z.object({ email: z.string().max(1_000).describe("The address they sign in with") }),
  output: resetLinkSchema,
  run: async ({ login }: AccessServices, { email }, { signal }) =>
    (await login.account()).createResetLink(email, signal),
});
