import type { Context } from "hono";
import type { Origin, SignedIn } from "../../../commons/people.ts";
import type { Route } from "../../../kernel/definitions/route.ts";
import { effects } from "../../../kernel/effect.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { siteOf } from "../../../rooms/access/identity/network.ts";
import { isNodeFetch } from "../../../rooms/access/model/legacy-client.ts";
import { scopesOfRole } from "../../../rooms/access/model/roles.ts";
import { csrfOf, sameHash } from "../../../rooms/access/tokens/secrets.ts";
import { headerOf } from "./header-of.ts";
import { type KnownTokens, parseBearer, signInNeeded } from "./known-tokens.ts";
import { originOf } from "./origin.ts";
import type { RateLimits } from "./rate-limits.ts";

/** A request, before its token was checked. */
export type UnverifiedRequest = { from: Origin; bearer: string | undefined };

/** A request whose token, or the cookie of whose browser, is valid. */
export type AuthenticatedRequest = UnverifiedRequest & { bearer: string; signedIn: SignedIn; principal: Principal };

export type AuthenticatorOptions = {
  tokens: KnownTokens;
  /** The same for the cookies of browsers that are signed in. */
  sessions: KnownTokens;
  /** That cookie, if the request has one. */
  cookie(context: Context): string | undefined;
  rates: RateLimits;
  trustProxy: boolean;
  /** Where a client without a token learns how to get one. */
  metadataUrl(): string;
};

const maxNameLength = 100;
const forgeHeaders = ["x-forge-agent", "x-forge-instance", "x-forge-foreign"];

/** Finds out who sends a request, and applies rate limits. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** For a route that needs no token. Of one that checks itself who asks, only what it refuses counts. */
  anonymous(context: Context, { checksWho }: { checksWho?: true } = {}): UnverifiedRequest {
    const arrival = this.#arrival(context);
    if (!checksWho) this.#options.rates.take("public", siteOf(arrival.from.address));
    return arrival;
  }

  /** Such a route did not accept who asked. */
  noteRefusal(context: Context): void {
    this.#options.rates.take("refused", siteOf(this.#arrival(context).from.address));
  }

  /** The user of the token, as known for some seconds; or throws a 401 that does not say why. */
  authenticate(context: Context, kind: "read" | "write"): Promise<AuthenticatedRequest> {
    return this.#identify(context, "of", kind);
  }

  /** The same for a request that was counted already; for a change, as the database has it now. */
  confirm(context: Context): Promise<AuthenticatedRequest> {
    return this.#identify(context, isRead(context) ? "of" : "now");
  }

  /** `counted`: as what it counts for the user's rate limit. */
  async #identify(context: Context, asked: "of" | "now", counted?: "read" | "write"): Promise<AuthenticatedRequest> {
    const { rates, metadataUrl } = this.#options;
    const { from, bearer } = this.#arrival(context);
    const signedIn = bearer === undefined ? undefined : await this.#find(context, bearer, asked);
    if (bearer === undefined || !signedIn) {
      rates.take("refused", siteOf(from.address));
      throw signInNeeded(headerOf(context, "authorization") !== undefined, metadataUrl());
    }
    if (counted) rates.take(counted, signedIn.user.id);
    return { from, bearer, signedIn, principal: principalOf(context, signedIn) };
  }

  /** Whether the token is still valid, with the scope it was used for. */
  async isStillAllowed(context: Context, scope: SignedIn["scopes"][number]): Promise<boolean> {
    const { bearer } = this.#arrival(context);
    const signedIn = bearer === undefined ? undefined : await this.#find(context, bearer, "of");
    return signedIn?.scopes.includes(scope) ?? false;
  }

  #arrival(context: Context): UnverifiedRequest {
    const header = headerOf(context, "authorization");
    return {
      from: originOf(context, this.#options.trustProxy),
      bearer: header === undefined ? this.#ownCookie(context) : parseBearer(header),
    };
  }

  /** A page of another site can make a browser send the cookie, but cannot know the text that belongs to it. */
  #ownCookie(context: Context): string | undefined {
    const cookie = this.#options.cookie(context);
    if (cookie === undefined || isRead(context)) return cookie;
    return sameHash(headerOf(context, "x-csrf-token") ?? "", csrfOf(cookie)) ? cookie : undefined;
  }

  /** By the token, or without one by the cookie. */
  #find(context: Context, bearer: string, asked: "of" | "now"): Promise<SignedIn | undefined> {
    const { tokens, sessions } = this.#options;
    const kind = headerOf(context, "authorization") === undefined ? sessions : tokens;
    return kind[asked](bearer, readTeam(context));
  }
}

function isRead({ req }: Context): boolean {
  return req.method === "GET" || req.method === "HEAD";
}

export function accessOf<Services>({ effect }: Route<Services>): "read" | "write" {
  return effects[effect].access;
}

/** A browser's stream of events cannot send headers. */
function readTeam(context: Context): string | undefined {
  const named = headerOf(context, "x-team-id") ?? (isRead(context) ? context.req.query("team") : undefined);
  return named?.slice(0, maxNameLength) || undefined;
}

/**
 * Clients say which assistant of the user they are, or that the user gives the command. None of it can make them another user.
 */
function principalOf(context: Context, { user, role, scopes, tokenId, browser, apiToken }: SignedIn): Principal {
  if (browser) return personOf({ user, role, scopes });
  const agent = decodeHeader(headerOf(context, "x-forge-agent"))?.slice(0, maxNameLength);
  const instance = (headerOf(context, "x-forge-instance") ?? tokenId).slice(0, maxNameLength);
  const isPerson = !apiToken && headerOf(context, "x-forge-person") === "1";
  // A client that does not say so may be passing on text from elsewhere.
  const areOwnWords = headerOf(context, "x-forge-foreign") === "0";
  return {
    kind: "user",
    id: user.id,
    name: user.displayName || user.email,
    scopes,
    role: { name: role, scopes: scopesOfRole(role) },
    ...(instance && { instance }),
    ...(agent && { agent }),
    ...(isPerson && { atKeyboard: true }),
    ...(areOwnWords && { ownWords: true }),
    ...(isLegacyClient(context) && { legacyClient: true }),
  };
}

/** A person at the board, who writes what they send. */
function personOf({ user, role, scopes }: Pick<SignedIn, "user" | "role" | "scopes">): Principal {
  return {
    kind: "user",
    id: user.id,
    name: user.displayName || user.email,
    agent: "board",
    scopes,
    role: { name: role, scopes: scopesOfRole(role) },
    atKeyboard: true,
    ownWords: true,
  };
}

/**
 * forge-cli 1.0.1 does not name itself: it sends what Node's fetch sends, names its team, and calls every request JSON, also
 * one without a body. A Forge client always says more.
 */
function isLegacyClient(context: Context): boolean {
  const isJson = headerOf(context, "content-type") === "application/json";
  if (!isJson || headerOf(context, "x-team-id") === undefined) return false;
  const saysMore = forgeHeaders.some((name) => headerOf(context, name) !== undefined);
  return !saysMore && isNodeFetch(headerOf(context, "user-agent"));
}

/** Characters that are not allowed in headers are percent-encoded. */
function decodeHeader(text: string | undefined): string | undefined {
  try {
    // The store cannot keep a NUL.
    return text && decodeURIComponent(text).replaceAll("\0", "");
  } catch {
    return text;
  }
}
