import { describe, expect, it, onTestFinished } from "vitest";
import { startProvider, type TestProvider } from "../../../../test/harness/http/openid-provider.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { Fetcher } from "../../../platform/fetch/fetcher.ts";
import { OpenIdProvider } from "./openid.ts";

const redirectUrl = "http://localhost:7718/signin/provider/callback";

async function open(change: (provider: TestProvider) => void = () => undefined) {
  const provider = await startProvider("forge-client");
  change(provider);
  const fetcher = new Fetcher({ log: () => undefined });
  onTestFinished(() => fetcher.close());
  const options = { issuer: provider.issuer, clientId: "forge-client", clientSecret: "s3cret", fetcher };
  return { provider, openid: new OpenIdProvider({ ...options, redirectUrl: () => redirectUrl }) };
}

async function signIn({ provider, openid }: Awaited<ReturnType<typeof open>>) {
  const { url, attempt } = await openid.begin();
  return openid.finish(await provider.visit(url), attempt);
}

async function refusal(work: Promise<unknown>): Promise<ForgeError> {
  const error = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ForgeError);
  return error as ForgeError;
}

describe("signing in with an OpenID provider", () => {
  it("asks for a code with PKCE, a state and a nonce, and gives whom it vouches for", async () => {
    const opened = await open();
    const { searchParams } = new URL((await opened.openid.begin()).url);
    expect(searchParams.get("response_type")).toBe("code");
    expect(searchParams.get("code_challenge_method")).toBe("S256");
    expect(searchParams.get("redirect_uri")).toBe(redirectUrl);
    for (const name of ["code_challenge", "state", "nonce"]) expect(searchParams.get(name)?.length).toBeGreaterThan(20);
    expect(await signIn(opened)).toEqual({
      issuer: opened.provider.issuer,
      subject: "s-1",
      email: "ada@example.com",
      displayName: "Ada",
    });
  });

  it("makes each attempt anew", async () => {
    const { openid } = await open();
    const [one, other] = [await openid.begin(), await openid.begin()];
    expect(new Set(`${one.attempt}.${other.attempt}`.split(".")).size).toBe(6);
  });

  it("asks the userinfo endpoint where the token holds no email", async () => {
    const opened = await open((provider) => {
      provider.claims = { sub: "s-1" };
      provider.userInfo = { sub: "s-1", email: "ada@example.com", email_verified: true };
    });
    expect(await signIn(opened)).toMatchObject({ email: "ada@example.com", displayName: "ada@example.com" });
  });

  it.each<[string, (provider: TestProvider) => void]>([
    ["an email that is not confirmed", (provider) => (provider.claims = { ...provider.claims, email_verified: false })],
    ["an email of which nothing is said", (provider) => (provider.claims = { sub: "s-1", email: "ada@example.com" })],
    ["no email", (provider) => (provider.claims = { sub: "s-1" })],
    ["a token that was signed by somebody else", (provider) => (provider.forges = true)],
    ["another's nonce", (provider) => (provider.twist = (claims) => ({ ...claims, nonce: "another" }))],
    ["K02 a token for another client", (provider) => (provider.twist = (claims) => ({ ...claims, aud: "another" }))],
    ["K02 another issuer", (provider) => (provider.twist = (claims) => ({ ...claims, iss: "https://evil.example" }))],
    ["a token that has expired", (provider) => (provider.twist = (claims) => ({ ...claims, exp: 1_000 }))],
  ])("refuses %s", async (_what, change) => {
    const error = await refusal(signIn(await open(change)));
    expect(error.code).toBe("AUTH_FAILED");
  });

  it("refuses what comes back with another state, for another attempt, or twice", async () => {
    const { provider, openid } = await open();
    const [mine, other] = [await openid.begin(), await openid.begin()];
    const query = await provider.visit(mine.url);
    expect((await refusal(openid.finish(query, other.attempt))).code).toBe("AUTH_FAILED");
    expect((await refusal(openid.finish(query, "nonsense"))).code).toBe("AUTH_FAILED");
    expect(provider.tokenRequests).toHaveLength(0);
    await openid.finish(query, mine.attempt);
    expect((await refusal(openid.finish(query, mine.attempt))).code).toBe("AUTH_FAILED");
  });

  it("says that it was cancelled, and nothing that the address brought along", async () => {
    const { openid } = await open();
    const { attempt } = await openid.begin();
    const [, state = ""] = attempt.split(".");
    const query = new URLSearchParams({ error: "access_denied", error_description: "<b>buy</b>", state });
    const { message } = await refusal(openid.finish(query, attempt));
    expect(message).toContain("cancelled");
    expect(message).not.toContain("buy");
  });

  it("says which provider cannot be reached, and tries again the next time", async () => {
    const fetcher = new Fetcher({ log: () => undefined });
    onTestFinished(() => fetcher.close());
    const issuer = "http://127.0.0.1:1";
    const openid = new OpenIdProvider({
      issuer,
      clientId: "x",
      clientSecret: undefined,
      redirectUrl: () => redirectUrl,
      fetcher,
    });
    for (const _time of [1, 2]) {
      const error = await refusal(openid.begin());
      expect(error.code).toBe("NETWORK_ERROR");
      expect(error.message).toContain("127.0.0.1:1");
    }
  });
});
