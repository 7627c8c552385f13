import * as z from "zod";
import { defineRoute } from "../../../kernel/definitions/route.ts";
import type { TokenInfo } from "../model/model.ts";
import { type AccessRouteServices, requireSignedIn } from "./services.ts";
import { anId, aScope, date, noParams, noQuery, nothing } from "./shapes.ts";

const tokenOnWire = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.string(),
  scopes: z.array(z.string()),
  createdAt: date,
  expiresAt: date.optional().describe("Absent if it never expires"),
  lastUsedAt: date.optional(),
});

export const tokensRoute = defineRoute({
  method: "GET",
  operation: "list_tokens",
  path: "/api/tokens",
  summary: "List the API tokens and sign-ins, without their secrets.",
  scope: "access:read",
  effect: "read",
  names: "none",
  params: noParams,
  query: noQuery,
  output: z.object({ tokens: z.array(tokenOnWire) }),
  async run(services: AccessRouteServices) {
    const tokens = await services.access.tokens.list(requireSignedIn(services));
    return { tokens: tokens.map(showToken) };
  },
});

export const createTokenRoute = defineRoute({
  method: "POST",
  operation: "create_token",
  path: "/api/tokens",
  summary: "Create an API token with at most the caller's own rights. Its secret is shown only once.",
  scope: "signed-in",
  effect: "add",
  names: "none",
  params: noParams,
  query: noQuery,
  body: z.strictObject({
    name: z.string().trim().min(1).max(100).describe("What it is for"),
    scopes: z.array(aScope).min(1).max(50),
    days: z.number().int().min(1).max(3_650).optional().describe("Default: never expires"),
  }),
  output: tokenOnWire.extend({ secret: z.string() }),
  status: 201,
  givesSecret: true,
  async run(services: AccessRouteServices, { body: { name, scopes, days } }) {
    const by = requireSignedIn(services);
    const made = await services.access.tokens.create(by, { name, scopes, days }, services.from);
    return { ...showToken(made), secret: made.secret };
  },
});

export const revokeTokenRoute = defineRoute({
  method: "DELETE",
  operation: "revoke_token",
  path: "/api/tokens/:id",
  summary: "Revoke a token.",
  scope: "signed-in",
  effect: "remove",
  names: "token",
  params: z.object({ id: anId }),
  query: noQuery,
  output: nothing,
  status: 204,
  about: ({ id }) => [`token:${id}`],
  async run(services: AccessRouteServices, { params }) {
    await services.access.tokens.revoke(requireSignedIn(services), params.id, services.from);
    return {};
  },
});

function showToken({ id, name, owner, scopes, createdAt, expiresAt, lastUsedAt }: TokenInfo) {
  return { id, name, owner, scopes: [...scopes], createdAt, expiresAt, lastUsedAt };
}
