import * as z from "zod";
import { roles } from "../../../commons/people.ts";

const text = z.string().max(10_000);
const scope = z.templateLiteral([z.string(), ":", z.enum(["read", "write"])]);
const scopes = z.array(scope).max(1_000);

export const teamSchema = z.object({ id: text, name: text, slug: text });
export const ownTeamSchema = teamSchema.extend({ role: z.enum(roles) });

export const meSchema = z.object({
  user: z.object({ id: text, email: text, displayName: text }),
  team: teamSchema,
  role: z.enum(roles),
  scopes,
});

export const tokenSchema = z.object({
  id: text,
  name: text,
  owner: text,
  scopes,
  createdAt: text,
  expiresAt: text.exactOptional(),
  lastUsedAt: text.exactOptional(),
});
export const newTokenSchema = tokenSchema.extend({ secret: text });

export const inviteSchema = z.object({ id: text, link: text, expiresAt: text });
export const resetLinkSchema = z.object({ link: text, expiresAt: text });

const details = z.record(z.string().max(1_000), z.unknown());

export const auditEntrySchema = z.object({
  ...{ seq: z.number(), at: text, actor: text, user: text.exactOptional(), action: text, target: text, details },
});
export const auditSchema = z.object({ entries: z.array(auditEntrySchema).max(1_000), intact: z.boolean() });

/** Loose: what a newer server adds stays. */
export const teamEntrySchema = z.looseObject({
  ...{ id: text, at: text, kind: text, name: text, principal: text, user: text.exactOptional() },
  ...{ agent: text.exactOptional(), outcome: text, code: text.exactOptional(), durationMs: z.number() },
  ...{ about: z.array(text).max(1_000), evidence: z.array(text).max(1_000) },
});

/** Who a server says the user is; `there` is absent where the server has no way to ask. */
export const whoAmISchema = z.object({
  server: text,
  email: text,
  displayName: text,
  by: z.enum(["forge login", "FORGE_TOKEN"]),
  there: z
    .object({ team: teamSchema, role: z.enum(roles), scopes, teams: z.array(ownTeamSchema).max(10_000) })
    .exactOptional(),
});
