import { describe, expect, it, onTestFinished } from "vitest";
import { startProvider } from "../../../../test/harness/http/openid-provider.ts";
import { makeTeamPages, Visitor } from "../../../../test/harness/http/page-visitor.ts";
import { home } from "../../../../test/harness/rooms/access.ts";
import { Fetcher } from "../../../platform/fetch/fetcher.ts";
import { OpenIdProvider } from "../../../rooms/access/identity/openid.ts";
import { providerCallback } from "./index.ts";

const publicUrl = "http://localhost:7718";

async function open() {
  const provider = await startProvider("forge");
  const fetcher = new Fetcher({ log: () => undefined });
  onTestFinished(() => fetcher.close());
  const openid = new OpenIdProvider({
    issuer: provider.issuer,
    clientId: "forge",
    clientSecret: undefined,
    redirectUrl: () => `${publicUrl}${providerCallback}`,
    fetcher,
  });
  const pages = await makeTeamPages({ provider: openid, publicUrl: () => publicUrl });
  return { ...pages, provider };
}

/** To the provider and back. */
async function signIn(
  visitor: Visitor,
  provider: Awaited<ReturnType<typeof startProvider>>,
  from = "/signin/provider",
) {
  await visitor.open(from);
  const query = await provider.visit(visitor.path);
  return visitor.open(`${providerCallback}?${query}`);
}

describe("signing in with a provider", () => {
  it("is offered by its name, and lets a member in", async () => {
    const { app, provider } = await open();
    const visitor = await new Visitor(app).open("/signin");
    expect(visitor.text).toContain(`Sign in with ${new URL(provider.issuer).host}`);
    await signIn(visitor, provider);
    expect(visitor.title).toBe("You are signed in");
    expect(visitor.cookies.has("forge_attempt")).toBe(false);
  });

  it("goes on to the device that waits", async () => {
    const { app, access, provider } = await open();
    const { userCode } = await access.devices.request("forge", home);
    const visitor = await signIn(new Visitor(app), provider, `/signin/provider?device=${userCode}`);
    expect(visitor.title).toBe("Authorize this device?");
    expect(visitor.text).toContain(userCode);
  });

  it("lets in who is invited by that address, and nobody else", async () => {
    const { app, access, admin, provider } = await open();
    provider.claims = { sub: "s-2", email: "grace@example.com", email_verified: true, name: "Grace" };
    const stranger = await signIn(new Visitor(app), provider);
    expect(stranger.status).toBe(401);
    expect(stranger.cookies.has("forge_session")).toBe(false);
    await access.invitations.create(admin.by, { role: "viewer", email: "grace@example.com" }, home);
    expect((await signIn(new Visitor(app), provider)).title).toBe("You are signed in");
    expect((await access.members.list(admin.by)).map(({ role }) => role).sort()).toEqual(["admin", "viewer"]);
  });

  it("joins a further team only from its invitation, opened in the same browser", async () => {
    const { app, access, admin, provider } = await open();
    const other = await access.teams.create(admin.by, "Other", home);
    const by = await access.tokens.authenticate(admin.pair.accessToken, other.id);
    if (!by) throw new Error("not in the new team");
    provider.claims = { sub: "s-2", email: "grace@example.com", email_verified: true, name: "Grace" };
    await access.invitations.create(admin.by, { role: "viewer", email: "grace@example.com" }, home);
    await signIn(new Visitor(app), provider);
    const { code } = await access.invitations.create(by, { role: "admin", email: "grace@example.com" }, home);
    const members = async () => (await access.members.list(by)).length;
    await signIn(new Visitor(app), provider);
    expect(await members()).toBe(1);
    const forged = await new Visitor(app).open(`/signin/provider?invitation=${code}&csrf=x`);
    expect([forged.status, forged.cookies.has("forge_attempt")]).toEqual([403, false]);
    const invited = await new Visitor(app).open(`/invite?code=${code}`);
    const [, link = ""] = /href="(\/signin\/provider[^"]*)"/.exec(invited.html) ?? [];
    await signIn(invited, provider, link.replaceAll("&#38;", "&"));
    expect(await members()).toBe(2);
  });

  it("is refused in a browser that did not begin it", async () => {
    const { app, provider } = await open();
    const begun = await new Visitor(app).open("/signin/provider");
    const query = await provider.visit(begun.path);
    const other = await new Visitor(app).open(`${providerCallback}?${query}`);
    expect(other.status).toBe(401);
    expect(other.cookies.has("forge_session")).toBe(false);
    expect(provider.tokenRequests).toHaveLength(0);
  });
});
