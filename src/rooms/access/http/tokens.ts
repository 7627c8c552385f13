import * as z from "zod";
import { defineRoute } from "../../../kernel/route.ts";
import type { TokenInfo } from "../service/ports.ts";
import { type AccessRouteServices, requireSignedIn } from "./services.ts";
import { anId, aScope, date, noParams, noQuery, nothing } from "./shapes.ts";

const tokenOnWire = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.string(),
  scopes: z.array(z.string()),
  createdAt: date,
  expiresAt: date.optional().describe("Absent where it never does"),
  lastUsedAt: date.optional(),
});

export const tokensRoute = defineRoute({
  method: "GET",
  operation: "list_tokens",
  path: "/api/tokens",
  summary: "The tokens that were made for people and programs, without their secrets.",
  scope: "access:read",
  effect: "read",
  names: "none",
  params: noParams,
  query: noQuery,
  output: z.object({ tokens: z.array(tokenOnWire) }),
  async run(services: AccessRouteServices) {
    const tokens = await services.access.tokens(requireSignedIn(services));
    return { tokens: tokens.map(showToken) };
  },
});

export const createTokenRoute = defineRoute({
  method: "POST",
  operation: "create_token",
  path: "/api/tokens",
  summary: "Makes a token that allows no more than the caller's own does. Its secret is shown this once.",
  scope: "signed-in",
  effect: "add",
  names: "none",
  params: noParams,
  query: noQuery,
  body: z.strictObject({
    name: z.string().trim().min(1).max(100).describe("What it is for"),
    scopes: z.array(aScope).min(1).max(50),
    days: z.number().int().min(1).max(3_650).optional().describe("Never expires where none is given"),
  }),
  output: tokenOnWire.extend({ secret: z.string() }),
  status: 201,
  givesSecret: true,
  async run(services: AccessRouteServices, { body: { name, scopes, days } }) {
    const by = requireSignedIn(services);
    const made = await services.access.createToken(by, { name, scopes, days }, services.from);
    return { ...showToken(made), secret: made.secret };
  },
});

export const revokeTokenRoute = defineRoute({
  method: "DELETE",
  operation: "revoke_token",
  path: "/api/tokens/:id",
  summary: "Ends a token.",
  scope: "signed-in",
  effect: "remove",
  names: "token",
  params: z.object({ id: anId }),
  query: noQuery,
  output: nothing,
  status: 204,
  about: ({ id }) => [`token:${id}`],
  async run(services: AccessRouteServices, { params }) {
    await services.access.revokeToken(requireSignedIn(services), params.id, services.from);
    return {};
  },
});

function showToken({ id, name, owner, scopes, createdAt, expiresAt, lastUsedAt }: TokenInfo) {
  return { id, name, owner, scopes: [...scopes], createdAt, expiresAt, lastUsedAt };
}
