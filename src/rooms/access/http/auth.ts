import * as z from "zod";
import { defineRoute } from "../../../kernel/definitions/route.ts";
import { isNodeFetch, legacyClientName } from "../model/legacy-client.ts";
import type { TokenPair } from "../model/model.ts";
import { deviceRefused, needsBrowserSession, unknownUserCode } from "./errors.ts";
import { type AccessRouteServices, requireSignedIn } from "./services.ts";
import { date, noParams, noQuery, nothing, person, slug } from "./shapes.ts";

const publicRoute = {
  method: "POST",
  scope: "public",
  names: "none",
  params: noParams,
  query: noQuery,
} as const;

const defaultClient = "forge";

export const requestDeviceRoute = defineRoute({
  ...publicRoute,
  path: "/api/auth/device/request",
  summary: "Start a sign-in on a device. The user approves it in a browser with the user code.",
  effect: "add",
  body: z
    .strictObject({
      client: z.string().trim().min(1).max(100).optional().describe("The name shown on the approval page"),
      team: slug.optional().describe("The slug of the team to work in, if the user has several"),
    })
    .optional(),
  output: z.object({
    deviceCode: z.string(),
    userCode: z.string(),
    verificationUri: z.string(),
    expiresIn: z.number().describe("Seconds"),
    interval: z.number().describe("Minimum seconds between two polls"),
  }),
  givesSecret: true,
  async run({ access, from, publicUrl }: AccessRouteServices, { body }) {
    const client = body === undefined && isNodeFetch(from.agent) ? legacyClientName : defaultClient;
    const request = await access.devices.request(body?.client ?? client, from, body?.team);
    return { ...request, verificationUri: `${publicUrl}/device` };
  },
});

const tokens = {
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresAt: date.describe("Of the access token"),
};

export const redeemDeviceRoute = defineRoute({
  ...publicRoute,
  path: "/api/auth/device/token",
  summary: "Poll for the decision: returns the tokens once, or the reason as `error`.",
  effect: "add",
  body: z.strictObject({ deviceCode: z.string().max(200) }),
  output: z.object({ ...tokens, userId: z.string(), teamId: z.string(), user: person }),
  givesSecret: true,
  async run({ access, from }: AccessRouteServices, { body }) {
    const answer = await access.devices.redeem(body.deviceCode, from);
    if ("refusal" in answer) throw deviceRefused(answer.refusal, answer.interval);
    const { user, team } = answer;
    return {
      ...pairOf(answer),
      userId: user.id,
      teamId: team.id,
      user: { email: user.email, displayName: user.displayName },
    };
  },
});

export const verifyDeviceRoute = defineRoute({
  ...publicRoute,
  path: "/api/auth/device/verify",
  checksWho: true,
  summary: "Approve a device for the user whose browser session is the bearer token.",
  effect: "set",
  body: z.strictObject({
    userCode: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/, "must be like ABCD-2345"),
  }),
  output: z.object({ success: z.literal(true) }),
  // A session, not a token: with a limited token one could otherwise get another that has all the user's rights.
  async run({ access, bearer, from }: AccessRouteServices, { body }) {
    const session = bearer === undefined ? undefined : await access.sessions.get(bearer);
    if (bearer === undefined || !session) throw needsBrowserSession();
    if (!(await access.devices.findPending(body.userCode, bearer))) throw unknownUserCode();
    await access.devices.decide(bearer, body.userCode, "approve", from);
    return { success: true as const };
  },
});

export const refreshRoute = defineRoute({
  ...publicRoute,
  path: "/api/auth/refresh",
  checksWho: true,
  summary:
    "Exchange a refresh token for a new pair of tokens. Each refresh token works once, except those of forge-cli 1.0.1.",
  effect: "set",
  body: z.strictObject({ refreshToken: z.string().max(1_000) }),
  output: z.object(tokens),
  givesSecret: true,
  async run({ access, from }: AccessRouteServices, { body }) {
    return pairOf(await access.refreshTokens.exchange(body.refreshToken, from));
  },
});

export const logoutRoute = defineRoute({
  ...publicRoute,
  path: "/api/auth/logout",
  summary: "Revoke the token of this request and the tokens issued with it, or sign out the browser.",
  scope: "signed-in",
  effect: "remove",
  output: nothing,
  status: 204,
  async run(services: AccessRouteServices) {
    const { access, bearer = "", from } = services;
    if (requireSignedIn(services).browser) await access.sessions.close(bearer);
    else await access.tokens.end(bearer, from);
    return {};
  },
});

function pairOf({ accessToken, refreshToken, expiresAt }: TokenPair) {
  return { accessToken, refreshToken, expiresAt };
}
