import * as z from "zod";
import { ForgeError } from "../../../kernel/errors.ts";
import { defineRoute } from "../../../kernel/route.ts";
import type { DeviceRefusal, TokenPair } from "../service/ports.ts";
import { type AccessRouteServices, requireSignedIn } from "./services.ts";
import { date, noParams, noQuery, nothing, person, slug } from "./shapes.ts";

const forAnybody = {
  method: "POST",
  scope: "public",
  names: "none",
  params: noParams,
  query: noQuery,
} as const;

const usualClient = "forge";

export const requestDeviceRoute = defineRoute({
  ...forAnybody,
  path: "/api/auth/device/request",
  summary: "Begins a sign-in on a device; a person allows it in a browser with the user code.",
  effect: "add",
  body: z
    .strictObject({
      client: z.string().trim().min(1).max(100).optional().describe("What the approval page shows"),
      team: slug.optional().describe("The slug of the team to work in, where the person has several"),
    })
    .optional(),
  output: z.object({
    deviceCode: z.string(),
    userCode: z.string(),
    verificationUri: z.string(),
    expiresIn: z.number().describe("Seconds"),
    interval: z.number().describe("Seconds between two polls, at least"),
  }),
  givesSecret: true,
  async run({ access, from, publicUrl }: AccessRouteServices, { body }) {
    const request = await access.requestDevice(body?.client ?? usualClient, from, body?.team);
    return { ...request, verificationUri: `${publicUrl}/device` };
  },
});

const tokens = {
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresAt: date.describe("Of the access token"),
};

export const redeemDeviceRoute = defineRoute({
  ...forAnybody,
  path: "/api/auth/device/token",
  summary: "Asks whether the person has allowed it: tokens once, or why not as `error`.",
  effect: "add",
  body: z.strictObject({ deviceCode: z.string().max(200) }),
  output: z.object({ ...tokens, userId: z.string(), teamId: z.string(), user: person }),
  givesSecret: true,
  async run({ access, from }: AccessRouteServices, { body }) {
    const answer = await access.redeemDevice(body.deviceCode, from);
    if ("refusal" in answer) throw notYet(answer.refusal, answer.interval);
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
  ...forAnybody,
  path: "/api/auth/device/verify",
  checksWho: true,
  summary: "Allows a device to sign in as the person whose browser session is the bearer.",
  effect: "set",
  body: z.strictObject({
    userCode: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/, "must be like ABCD-2345"),
  }),
  output: z.object({ success: z.literal(true) }),
  // A session, not a token: a token that may do little could otherwise have one made that may do all its person may.
  async run({ access, bearer, from }: AccessRouteServices, { body }) {
    const session = bearer === undefined ? undefined : await access.session(bearer);
    if (bearer === undefined || !session) throw noSession();
    if (!(await access.waitingDevice(body.userCode, from))) throw unknownCode();
    await access.decideDevice(bearer, body.userCode, "approve", from);
    return { success: true as const };
  },
});

export const refreshRoute = defineRoute({
  ...forAnybody,
  path: "/api/auth/refresh",
  checksWho: true,
  summary: "A new pair of tokens for a refresh token, which is used up by it.",
  effect: "set",
  body: z.strictObject({ refreshToken: z.string().max(1_000) }),
  output: z.object(tokens),
  givesSecret: true,
  async run({ access, from }: AccessRouteServices, { body }) {
    return pairOf(await access.refresh(body.refreshToken, from));
  },
});

export const logoutRoute = defineRoute({
  ...forAnybody,
  path: "/api/auth/logout",
  summary: "Ends the token it is called with, and those made along with it.",
  scope: "signed-in",
  effect: "remove",
  output: nothing,
  status: 204,
  async run(services: AccessRouteServices) {
    requireSignedIn(services);
    await services.access.endToken(services.bearer ?? "", services.from);
    return {};
  },
});

const refusals: Record<DeviceRefusal, string> = {
  authorization_pending: "Nobody has decided yet.",
  slow_down: "That was sooner than the interval allows, which is longer now.",
  expired_token: "The code has expired or was used.",
  access_denied: "The person did not allow it.",
  invalid_device_code: "There is no such device code.",
};

/** The `error` of RFC 8628 is the label, which clients of any generation look at. */
function notYet(refusal: DeviceRefusal, interval: number | undefined): ForgeError {
  const waits = refusal === "authorization_pending" || refusal === "slow_down";
  return new ForgeError("VALIDATION_ERROR", refusals[refusal], {
    label: refusal,
    ...(interval !== undefined && { details: { interval } }),
    next: [waits ? "Ask again after the interval." : "Begin anew: forge login."],
  });
}

function pairOf({ accessToken, refreshToken, expiresAt }: TokenPair) {
  return { accessToken, refreshToken, expiresAt };
}

function noSession(): ForgeError {
  return new ForgeError("AUTH_REQUIRED", "Allowing a device needs a browser session; a token cannot.", {
    next: ["Open the verification address in a browser, sign in, and type the code there."],
  });
}

function unknownCode(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "There is no device that waits with this code.", {
    label: "invalid_code",
    next: ["Look whether the code is the one that the device shows, or begin anew there: forge login."],
  });
}
