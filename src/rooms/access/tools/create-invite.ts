import * as z from "zod";
import { roles } from "../../../commons/people.ts";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { inviteSchema } from "../model/schemas.ts";
import type { AccessServices } from "../services.ts";

export const createInvite = defineTool({
  name: "create_invite",
  title: "Create an invite link",
  description:
    "Create a link that lets one person join your team. It is valid for a few days and shown only once. Anyone who has " +
    "the link can use it, unless you give an email address. Only admins of the team can invite.",
  effect: "send",
  surfaces: ["cli"],
  ofUser: () => true,
  input: z.object({
    role: z.enum(roles).default("member").describe("Their role in the team"),
    email: z.string().max(254).optional().describe("Only this address can use the link"),
  }),
  output: inviteSchema,
  run: async ({ login }: AccessServices, invite, { signal }) => (await login.account()).createInvite(invite, signal),
});
