import * as z from "zod";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Fetcher } from "../../../platform/fetch/fetcher.ts";
import type { Method } from "../../../platform/fetch/types.ts";
import { emailNotVerified, providerFailed } from "../model/errors.ts";

type Library = typeof import("openid-client");
type Configuration = InstanceType<Library["Configuration"]>;

export type OpenIdOptions = {
  issuer: string;
  clientId: string;
  /** Absent for a client that the provider knows by its address alone. */
  clientSecret: string | undefined;
  /** Where the provider sends people back to, as it knows it. */
  redirectUrl: () => string;
  fetcher: Pick<Fetcher, "request">;
};

/** Who a provider says the user is. */
export type OpenIdIdentity = { issuer: string; subject: string; email: string; displayName: string };

/** What the browser keeps while its person is at the provider. */
const attempt = z.tuple([z.string().min(20), z.string().min(20), z.string().min(20)]);

const claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(320).optional(),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional(),
  name: z.string().max(200).optional(),
});
type Claims = z.output<typeof claims>;

const limits = { timeoutMs: 10_000, maxBytes: 1_048_576 };
/** How much the provider's clock may differ from ours. */
const toleranceSeconds = 30;
const scope = "openid email profile";

/**
 * An OpenID provider that people sign in with: authorization code with PKCE, state and nonce. It says who the user is and
 * whether the email is theirs. Whether they get in is decided elsewhere.
 */
export class OpenIdProvider {
  readonly name: string;
  readonly #options: OpenIdOptions;
  #found: Promise<{ library: Library; configuration: Configuration }> | undefined;

  constructor(options: OpenIdOptions) {
    this.name = new URL(options.issuer).host;
    this.#options = options;
  }

  async begin(): Promise<{ url: string; attempt: string }> {
    const { library, configuration } = await this.#find();
    const [verifier, state, nonce] = [library.randomPKCECodeVerifier(), library.randomState(), library.randomNonce()];
    const url = library.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#options.redirectUrl(),
      scope,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      nonce,
    });
    return { url: url.href, attempt: [verifier, state, nonce].join(".") };
  }

  async finish(query: URLSearchParams, kept: string): Promise<OpenIdIdentity> {
    const secrets = attempt.safeParse(kept.split("."));
    if (!secrets.success) throw providerFailed("it was not started here");
    const [verifier, state, nonce] = secrets.data;
    const { library, configuration } = await this.#find();
    const back = new URL(this.#options.redirectUrl());
    back.search = query.toString();
    const found = await this.#translateErrors(async () => {
      const tokens = await library.authorizationCodeGrant(configuration, back, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const told = claims.parse(tokens.claims());
      if (told.email !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined) return told;
      // Some providers keep the email out of the token.
      return claims.parse(await library.fetchUserInfo(configuration, tokens.access_token, told.sub));
    });
    return identityIn(found, configuration.serverMetadata().issuer);
  }

  /** Asked once; again where it failed, since the provider may only have been away. */
  #find() {
    this.#found ??= this.#discover().catch((error: unknown) => {
      this.#found = undefined;
      throw error;
    });
    return this.#found;
  }

  async #discover() {
    const { issuer, clientId, clientSecret } = this.#options;
    const library = await import("openid-client");
    // Unasked, the library takes the connection's word and does not look at the token's signature.
    const checks = [library.enableNonRepudiationChecks];
    // The fetcher allows http to this machine only.
    const execute = issuer.startsWith("http:") ? [...checks, library.allowInsecureRequests] : checks;
    const authentication = clientSecret === undefined ? library.None() : library.ClientSecretBasic(clientSecret);
    const configuration = await this.#translateErrors(() =>
      library.discovery(new URL(issuer), clientId, { [library.clockTolerance]: toleranceSeconds }, authentication, {
        execute,
        timeout: limits.timeoutMs / 1_000,
        [library.customFetch]: (url, request) => this.#ask(url, request),
      }),
    );
    return { library, configuration };
  }

  /** With the program's own fetcher: the issuer may be in a private network, addresses that it names elsewhere may not. */
  async #ask(url: string, request: { method: string; headers: Record<string, string>; body?: unknown }) {
    const { body } = request;
    const text = body === undefined || body === null ? undefined : String(body);
    const response = await this.#options.fetcher.request(request.method as Method, url, {
      headers: request.headers,
      ...(text !== undefined && { body: text }),
      attempts: 1,
      ...limits,
      allowPrivate: [new URL(this.#options.issuer).origin],
    });
    const content = new Uint8Array(response.bytes());
    return new Response(content.length === 0 ? null : content, { status: response.status, headers: response.headers });
  }

  /** The library's errors quote what the provider and the browser sent; only what kind they are is told. */
  async #translateErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const reason = error instanceof Error && error.cause instanceof ForgeError ? error.cause : error;
      if (reason instanceof ForgeError) throw reason;
      throw providerFailed(kindOf(error), error);
    }
  }
}

function kindOf(error: unknown): string {
  const { code, error: word } = (error ?? {}) as { code?: unknown; error?: unknown };
  if (word === "access_denied") return "it was cancelled at the provider";
  return typeof code === "string" && /^[A-Z_]{1,60}$/.test(code)
    ? `the answer was not valid (${code})`
    : "the answer was not valid";
}

function identityIn({ sub, email, email_verified, name }: Claims, issuer: string): OpenIdIdentity {
  if (email === undefined || email_verified !== true) throw emailNotVerified();
  return { issuer, subject: sub, email, displayName: name?.trim() || email };
}
