import type { Context } from "hono";
import { effects } from "../../../kernel/effect.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { Route } from "../../../kernel/route.ts";
import { networkOf } from "../../../rooms/access/identity/network.ts";
import { scopesOfRole } from "../../../rooms/access/model/roles.ts";
import type { Origin, SignedIn } from "../../../commons/people.ts";
import { bearerIn, type KnownTokens, signInNeeded } from "./auth.ts";
import { originOf } from "./origin.ts";
import type { RateLimits } from "./rates.ts";

/** Where a request comes from and with what. */
export type Arrival = { from: Origin; bearer: string | undefined };

/** Somebody whose token was understood. */
export type Arrived = Arrival & { bearer: string; signedIn: SignedIn; principal: Principal };

export type VisitorOptions = {
  tokens: KnownTokens;
  rates: RateLimits;
  trustProxy: boolean;
  /** Where a client that has no token learns how to get one. */
  metadataUrl(): string;
};

const longestName = 100;

/** Tells who requests come from, and holds them to their rates. */
export class Visitors {
  readonly #options: VisitorOptions;

  constructor(options: VisitorOptions) {
    this.#options = options;
  }

  /** Anybody, on a route that asks for no token. */
  anybody(context: Context): Arrival {
    const arrival = this.#arrival(context);
    this.#options.rates.take("public", networkOf(arrival.from.address));
    return arrival;
  }

  /** The person behind the token, or a 401 that says nothing of why. */
  async signedIn(context: Context, kind: "read" | "write"): Promise<Arrived> {
    const { tokens, rates, metadataUrl } = this.#options;
    const { from, bearer } = this.#arrival(context);
    const asked = isLook(context) ? "of" : "now";
    const signedIn = bearer === undefined ? undefined : await tokens[asked](bearer, teamIn(context));
    if (bearer === undefined || !signedIn) {
      rates.take("refused", networkOf(from.address));
      throw signInNeeded(context.req.header("authorization") !== undefined, metadataUrl());
    }
    rates.take(kind, signedIn.user.id);
    return { from, bearer, signedIn, principal: principalOf(context, signedIn) };
  }

  /** Whether a token that was understood still is, with the scope it was used for. */
  async stillAllows(context: Context, { bearer }: Arrived, scope: SignedIn["scopes"][number]): Promise<boolean> {
    const signedIn = await this.#options.tokens.of(bearer, teamIn(context));
    return signedIn?.scopes.includes(scope) ?? false;
  }

  #arrival(context: Context): Arrival {
    return { from: originOf(context, this.#options.trustProxy), bearer: bearerIn(context.req.header("authorization")) };
  }
}

function isLook({ req }: Context): boolean {
  return req.method === "GET" || req.method === "HEAD";
}

export function kindOf<Services>({ effect }: Route<Services>): "read" | "write" {
  return effects[effect].access;
}

function teamIn(context: Context): string | undefined {
  return context.req.header("x-team-id")?.slice(0, longestName) || undefined;
}

/**
 * Two assistants of one person are told apart by what their clients say, and the person's own commands from both; nobody can
 * be another person by it.
 */
function principalOf(context: Context, { user, role, scopes, tokenId }: SignedIn): Principal {
  const agent = unescaped(context.req.header("x-forge-agent"))?.slice(0, longestName);
  const instance = (context.req.header("x-forge-instance") ?? tokenId).slice(0, longestName);
  const isPerson = context.req.header("x-forge-person") === "1";
  // Who does not say so may be a program that passes on what it found elsewhere.
  const areOwnWords = context.req.header("x-forge-foreign") === "0";
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
  };
}

/** Characters that no header can hold come escaped, as in an address. */
function unescaped(text: string | undefined): string | undefined {
  try {
    // No store of ours keeps a NUL.
    return text && decodeURIComponent(text).replaceAll("\0", "");
  } catch {
    return text;
  }
}
