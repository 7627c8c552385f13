import { createHash, createSign, generateKeyPairSync, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Claims = Record<string, unknown>;

/** Signs in whoever comes, as whom the test says; each part of it can be made to go wrong. */
export type TestProvider = {
  issuer: string;
  claims: Claims;
  /** What the userinfo endpoint says, where it has one. */
  userInfo: Claims | undefined;
  /** Changes the token before it is signed. */
  twist(claims: Claims): Claims;
  /** Signs with a key that nobody knows. */
  forges: boolean;
  /** As a browser would: to the provider, and back with what it says. */
  visit(url: string): Promise<URLSearchParams>;
  tokenRequests: URLSearchParams[];
};

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function signed(claims: Claims, key = privateKey): string {
  const content = `${encode({ alg: "RS256", kid: "k1", typ: "JWT" })}.${encode(claims)}`;
  return `${content}.${createSign("RSA-SHA256").update(content).sign(key, "base64url")}`;
}

export async function startProvider(clientId: string): Promise<TestProvider> {
  const asked = new Map<string, URLSearchParams>();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", provider.issuer);
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (url.pathname === "/.well-known/openid-configuration") {
      answer(200, {
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
    } else if (url.pathname === "/keys") {
      answer(200, { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k1", alg: "RS256", use: "sig" }] });
    } else if (url.pathname === "/userinfo") answer(200, provider.userInfo ?? {});
    else if (url.pathname === "/token") {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      provider.tokenRequests.push(form);
      const begun = asked.get(form.get("code") ?? "");
      asked.delete(form.get("code") ?? "");
      const challenge = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      if (!begun || begun.get("code_challenge") !== challenge) return void answer(400, { error: "invalid_grant" });
      const now = Math.floor(Date.now() / 1_000);
      const claims = provider.twist({
        iss: provider.issuer,
        aud: clientId,
        iat: now,
        exp: now + 300,
        nonce: begun.get("nonce"),
        ...provider.claims,
      });
      const idToken = signed(claims, provider.forges ? stranger : privateKey);
      answer(200, { access_token: "at", token_type: "Bearer", id_token: idToken });
    } else answer(404, {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  const provider: TestProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    claims: { sub: "s-1", email: "ada@example.com", email_verified: true, name: "Ada" },
    userInfo: undefined,
    twist: (claims) => claims,
    forges: false,
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
