import { createHmac, createSign, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ForgeError } from "../../src/kernel/errors.ts";
import { Fetcher } from "../../src/platform/fetch/fetcher.ts";
import { OpenIdProvider } from "../../src/rooms/access/identity/openid.ts";
import { encode, startProvider, type TestProvider } from "../harness/http/openid-provider.ts";

const redirectUrl = "http://localhost:7718/signin/provider/callback";
const own = generateKeyPairSync("rsa", { modulusLength: 2048 });

async function signIn(change: (provider: TestProvider) => void) {
  const provider = await startProvider("forge");
  change(provider);
  const fetcher = new Fetcher({ log: () => undefined });
  onTestFinished(() => fetcher.close());
  const options = { issuer: provider.issuer, clientId: "forge", clientSecret: undefined, fetcher };
  const openid = new OpenIdProvider({ ...options, redirectUrl: () => redirectUrl });
  const { url, attempt } = await openid.begin();
  return openid.finish(await provider.visit(url), attempt);
}

/** Listens where no provider may send us, and notes who comes. */
async function startInside() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const withKey = (header: object) => (claims: object) => {
  const content = `${encode({ alg: "RS256", ...header })}.${encode(claims)}`;
  return `${content}.${createSign("RSA-SHA256").update(content).sign(own.privateKey, "base64url")}`;
};

test.each<[string, (provider: TestProvider) => void]>([
  [
    "says that its tokens are not signed",
    (provider) => {
      provider.describe = (facts) => ({ ...facts, id_token_signing_alg_values_supported: ["none", "RS256"] });
      provider.makeToken = (claims) => `${encode({ alg: "none" })}.${encode(claims)}.`;
    },
  ],
  [
    "signs with its public key as if it were a password",
    (provider) => {
      provider.describe = (facts) => ({ ...facts, id_token_signing_alg_values_supported: ["HS256", "RS256"] });
      provider.makeToken = (claims, publicKey) => {
        const content = `${encode({ alg: "HS256", kid: "k1" })}.${encode(claims)}`;
        const pem = publicKey.export({ format: "pem", type: "spki" });
        return `${content}.${createHmac("sha256", pem).update(content).digest("base64url")}`;
      };
    },
  ],
  [
    "brings its key in the token",
    (provider) => {
      provider.makeToken = withKey({ kid: "k1", jwk: own.publicKey.export({ format: "jwk" }) });
    },
  ],
  [
    "names a key by a path",
    (provider) => {
      provider.makeToken = withKey({ kid: "../../../../dev/null" });
    },
  ],
  [
    "has extensions that must be understood",
    (provider) => {
      provider.makeToken = withKey({ kid: "k1", crit: ["b64"], b64: false });
    },
  ],
  [
    "issues a token for two clients",
    (provider) => {
      provider.twist = (claims) => ({ ...claims, aud: ["forge", "another"] });
    },
  ],
  [
    "issues a token for another client that lists us",
    (provider) => {
      provider.twist = (claims) => ({ ...claims, aud: ["forge", "another"], azp: "another" });
    },
  ],
  [
    "issues a token without an end",
    (provider) => {
      provider.twist = ({ exp: _, ...claims }) => claims;
    },
  ],
  [
    "issues a token of tomorrow",
    (provider) => {
      provider.twist = (claims) => ({ ...claims, nbf: Math.floor(Date.now() / 1_000) + 86_400 });
    },
  ],
  [
    "leaves the nonce out",
    (provider) => {
      provider.twist = ({ nonce: _, ...claims }) => claims;
    },
  ],
  [
    "says who it is in another way",
    (provider) => {
      provider.describe = (facts) => ({ ...facts, issuer: "https://accounts.example" });
    },
  ],
  [
    "says something else of the user than the token",
    (provider) => {
      provider.claims = { sub: "s-1" };
      provider.userInfo = { sub: "s-2", email: "ada@example.com", email_verified: true };
    },
  ],
  [
    "does not know whether the address is the user's",
    (provider) => {
      provider.claims = { ...provider.claims, email_verified: "perhaps" };
    },
  ],
  [
    "has an empty subject",
    (provider) => {
      provider.claims = { ...provider.claims, sub: "" };
    },
  ],
  [
    "has more keys than can be read",
    (provider) => {
      provider.answer = (path, response) => {
        if (path !== "/keys") return false;
        response.writeHead(200, { "content-type": "application/json" });
        response.end(`{"keys":[${`{"kty":"RSA","kid":"${"x".repeat(1_000)}"},`.repeat(2_000)}{}]}`);
        return true;
      };
    },
  ],
])("K02 nobody is signed in by a provider that %s", async (_what, change) => {
  const error = await signIn(change).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ForgeError);
  expect((error as ForgeError).code).toMatch(/^(?:AUTH_FAILED|NETWORK_ERROR)$/);
});

test.each(["jwks_uri", "token_endpoint", "userinfo_endpoint"])(
  "K27 a provider cannot have its %s asked of a private address",
  async (name) => {
    const inside = await startInside();
    const error = await signIn((provider) => {
      provider.claims = { sub: "s-1" };
      provider.describe = (facts) => ({ ...facts, [name]: `${inside.url}/${name}` });
    }).catch((reason: unknown) => reason);
    expect((error as ForgeError).code).toBe("NETWORK_ERROR");
    expect(inside.asked).toEqual([]);
  },
);

test.each(["/.well-known/openid-configuration", "/keys", "/token"])("K27 nor by a redirect of %s", async (from) => {
  const inside = await startInside();
  const error = await signIn((provider) => {
    provider.answer = (path, response) => {
      if (path !== from) return false;
      response.writeHead(from === "/token" ? 307 : 302, { location: `${inside.url}/redirected` }).end();
      return true;
    };
  }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ForgeError);
  expect(inside.asked).toEqual([]);
});

test("K02 a provider whose clock differs a little signs in", async () => {
  const now = Math.floor(Date.now() / 1_000);
  const identity = await signIn((provider) => {
    provider.twist = (claims) => ({ ...claims, iat: now + 10, nbf: now + 10 });
  });
  expect(identity.subject).toBe("s-1");
});
