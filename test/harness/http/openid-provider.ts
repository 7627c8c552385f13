import { createHash, createSign, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

type Claims = Record<string, unknown>;

/** An OpenID provider that signs in the user a test names. Each part of it can be made to fail. */
export type TestProvider = {
  issuer: string;
  claims: Claims;
  /** What the userinfo endpoint says, where it has one. */
  userInfo: Claims | undefined;
  /** Changes the token before it is signed. */
  twist(claims: Claims): Claims;
  /** Sign with an unknown key. */
  forges: boolean;
  /** Changes what it says of itself. */
  describe(facts: Claims): Claims;
  /** Makes the token itself; undefined: the usual one. */
  makeToken(claims: Claims, publicKey: KeyObject): string | undefined;
  /** Answers in its own way where it returns true. */
  answer(path: string, response: ServerResponse): boolean;
  /** As a browser would: to the provider, and back with what it says. */
  visit(url: string): Promise<URLSearchParams>;
  tokenRequests: URLSearchParams[];
};

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

export const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function signed(claims: Claims, key = privateKey): string {
  const content = `${encode({ alg: "RS256", kid: "k1", typ: "JWT" })}.${encode(claims)}`;
  return `${content}.${createSign("RSA-SHA256").update(content).sign(key, "base64url")}`;
}

export async function startProvider(clientId: string): Promise<TestProvider> {
  const asked = new Map<string, URLSearchParams>();
  const configuration = () =>
    provider.describe({
      issuer: provider.issuer,
      authorization_endpoint: `${provider.issuer}/authorize`,
      token_endpoint: `${provider.issuer}/token`,
      jwks_uri: `${provider.issuer}/keys`,
      ...(provider.userInfo && { userinfo_endpoint: `${provider.issuer}/userinfo` }),
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      code_challenge_methods_supported: ["S256"],
    });
  const tokens = (form: URLSearchParams) => {
    provider.tokenRequests.push(form);
    const code = form.get("code") ?? "";
    const begun = asked.get(code);
    asked.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!begun || begun.get("code_challenge") !== challenge) return undefined;
    const now = Math.floor(Date.now() / 1_000);
    const facts = { iss: provider.issuer, aud: clientId, iat: now, exp: now + 300, nonce: begun.get("nonce") };
    const claims = provider.twist({ ...facts, ...provider.claims });
    return {
      access_token: "at",
      token_type: "Bearer",
      id_token: provider.makeToken(claims, publicKey) ?? signed(claims, provider.forges ? stranger : privateKey),
    };
  };
  const answers: Record<string, (form: URLSearchParams) => object | undefined> = {
    "/.well-known/openid-configuration": configuration,
    "/keys": () => ({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k1", alg: "RS256", use: "sig" }] }),
    "/userinfo": () => provider.userInfo,
    "/token": tokens,
  };
  const server = createServer(async (request, response) => {
    if (provider.answer(request.url ?? "", response)) return;
    const answer = answers[request.url ?? ""]?.(new URLSearchParams(await text(request)));
    response.writeHead(answer ? 200 : 400, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: "invalid_grant" }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const provider: TestProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    claims: { sub: "s-1", email: "ada@example.com", email_verified: true, name: "Ada" },
    userInfo: undefined,
    twist: (claims) => claims,
    forges: false,
    describe: (facts) => facts,
    makeToken: () => undefined,
    answer: () => false,
    async visit(url) {
      const query = new URL(url).searchParams;
      const code = randomUUID();
      asked.set(code, query);
      return new URLSearchParams({ code, state: query.get("state") ?? "", iss: provider.issuer });
    },
    tokenRequests: [],
  };
  return provider;
}
