import { expect, it } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { openTwoTeams } from "../../../../test/harness/http/two-teams.ts";

const at = { address: "192.0.2.7" };

describeOnEngines("People and their rights over HTTP", (engine) => {
  const open = async () => openTwoTeams(await engine.fresh());

  it("signs a device in once, with the words of RFC 8628 until then", async () => {
    const { request, clock, ada } = await open();
    const { status, body: asked } = await request(undefined, "POST", "/api/auth/device/request");
    expect([status, asked]).toEqual([
      200,
      {
        deviceCode: expect.stringMatching(/^[0-9a-f]{32}$/),
        userCode: expect.stringMatching(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/),
        verificationUri: "https://forge.example/device",
        expiresIn: 300,
        interval: 5,
      },
    ]);
    const poll = (deviceCode = asked["deviceCode"]) =>
      request(undefined, "POST", "/api/auth/device/token", { deviceCode });
    expect(await poll()).toMatchObject({ status: 400, body: { error: "authorization_pending" } });
    expect(await poll()).toMatchObject({ status: 400, body: { error: "slow_down", details: { interval: 10 } } });
    expect(await poll("0".repeat(32))).toMatchObject({ status: 400, body: { error: "invalid_device_code" } });
    const { userCode } = asked;
    expect(await request(ada.cookie, "POST", "/api/auth/device/verify", { userCode })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    clock.pass(10);
    const signedIn = await poll();
    expect([signedIn.status, signedIn.body]).toEqual([
      200,
      {
        accessToken: expect.any(String),
        refreshToken: expect.any(String),
        expiresAt: expect.any(String),
        userId: ada.by.user.id,
        teamId: ada.by.team.id,
        user: { email: "ada@example.com", displayName: "Ada" },
      },
    ]);
    expect(await poll()).toMatchObject({ status: 400, body: { error: "expired_token" } });
    const me = await request(String(signedIn.body["accessToken"]), "GET", "/api/me");
    expect(me.body).toMatchObject({ user: { email: "ada@example.com" }, team: { name: "Acme" }, role: "admin" });
  });

  it("lets a person's session allow a device, and no token", async () => {
    const { request, access, ada } = await open();
    const { userCode, deviceCode } = await access.devices.request("forge", at);
    const verify = (bearer: string | undefined, code: unknown) =>
      request(bearer, "POST", "/api/auth/device/verify", { userCode: code });
    for (const bearer of [undefined, ada.pair.accessToken, ada.pair.refreshToken])
      expect((await verify(bearer, userCode)).status).toBe(401);
    expect(await verify(ada.cookie, "ZZZZ-ZZZZ")).toMatchObject({ status: 400, body: { error: "invalid_code" } });
    for (const code of ["1", "OOOO-1111", "", 5]) expect((await verify(ada.cookie, code)).status).toBe(400);
    expect(await access.devices.redeem(deviceCode, at)).toMatchObject({ refusal: "authorization_pending" });
  });

  it("renews tokens, and ends them with all that came of them", async () => {
    const { request, ada } = await open();
    const refresh = (refreshToken: unknown) => request(undefined, "POST", "/api/auth/refresh", { refreshToken });
    expect((await refresh("garbled")).status).toBe(401);
    const { status, body } = await refresh(ada.pair.refreshToken);
    expect([status, Object.keys(body).sort()]).toEqual([200, ["accessToken", "expiresAt", "refreshToken"]]);
    const renewed = String(body["accessToken"]);
    expect((await request(renewed, "GET", "/api/me")).status).toBe(200);
    expect((await request(renewed, "POST", "/api/auth/logout")).status).toBe(204);
    expect((await request(renewed, "GET", "/api/me")).status).toBe(401);
    expect((await refresh(body["refreshToken"])).status).toBe(401);
  });

  it("shows the team's members and changes what they may", async () => {
    const { request, ada, vic } = await open();
    const token = ada.pair.accessToken;
    const members = `/api/teams/${ada.by.team.id}/members`;
    const listed = await request(vic.pair.accessToken, "GET", members);
    expect(listed.body).toMatchObject({ success: true });
    expect(listed.body["members"]).toEqual(
      expect.arrayContaining([
        {
          userId: vic.by.user.id,
          email: "vic@example.com",
          displayName: "Vic",
          role: "viewer",
          joinedAt: expect.any(String),
        },
      ]),
    );
    const promoted = await request(token, "PATCH", `${members}/${vic.by.user.id}`, { role: "member" });
    expect(promoted.body).toMatchObject({ userId: vic.by.user.id, role: "member" });
    const written = await request(vic.pair.accessToken, "POST", "/api/tickets", { title: "By a member" });
    expect(written.status).toBe(201);
    expect((await request(token, "PATCH", `${members}/${ada.by.user.id}`, { role: "viewer" })).status).toBe(409);
    expect((await request(token, "PATCH", `${members}/${vic.by.user.id}`, { role: "owner" })).status).toBe(400);
    expect((await request(token, "DELETE", `${members}/${vic.by.user.id}`)).status).toBe(204);
    expect((await request(vic.pair.accessToken, "GET", "/api/me")).status).toBe(401);
  });

  it("assigns a ticket to a member by id, also with a token for tickets alone", async () => {
    const { request, access, make, ada, vic } = await open();
    const id = await make.ticket(ada);
    const { secret } = await access.tokens.create(ada.by, { name: "CI", scopes: ["tickets:write"], days: 1 }, at);
    const userId = vic.by.user.id;
    const { status, body } = await request(secret, "PATCH", `/api/tickets/${id}/assign`, { userId });
    expect([status, body["assignedTo"]]).toEqual([200, "Vic"]);
    const mine = await request(vic.pair.accessToken, "GET", "/api/tickets?assignedToMe=true");
    expect(mine.body["tickets"]).toMatchObject([{ id }]);
  });

  it("shows a token's secret once, and makes none that allows more than its maker", async () => {
    const { request, ada, vic } = await open();
    const make = (token: string, scopes: string[]) => request(token, "POST", "/api/tokens", { name: "CI", scopes });
    const made = await make(ada.pair.accessToken, ["tickets:read"]);
    expect(made.status).toBe(201);
    const secret = String(made.body["secret"]);
    expect((await request(secret, "GET", "/api/tickets")).status).toBe(200);
    expect((await request(secret, "POST", "/api/tickets", { title: "No" })).status).toBe(403);
    expect((await make(secret, ["tickets:read"])).status).toBe(403);
    expect((await make(vic.pair.accessToken, ["tickets:write"])).status).toBe(403);
    for (const scopes of [[], ["all"], ["tickets:admin"], ["nothing:read"]])
      expect((await make(ada.pair.accessToken, scopes)).status, String(scopes)).toBe(400);
    const listed = await request(ada.pair.accessToken, "GET", "/api/tokens");
    expect(listed.text).toContain(String(made.body["id"]));
    expect(listed.text).not.toContain(secret);
    expect((await request(ada.pair.accessToken, "DELETE", `/api/tokens/${made.body["id"]}`)).status).toBe(204);
    expect((await request(secret, "GET", "/api/tickets")).status).toBe(401);
  });

  it("invites by a link that can be taken back", async () => {
    const { request, access, ada } = await open();
    const token = ada.pair.accessToken;
    const { status, body } = await request(token, "POST", "/api/invitations", {
      role: "member",
      email: "m@example.com",
    });
    expect(status).toBe(201);
    const link = new URL(String(body["link"]));
    expect(link.origin + link.pathname).toBe("https://forge.example/invite");
    const code = link.searchParams.get("code") ?? "";
    expect(await access.invitations.get(code)).toMatchObject({ role: "member", email: "m@example.com" });
    const listed = await request(token, "GET", "/api/invitations");
    expect(listed.body["invitations"]).toMatchObject([{ id: body["id"], role: "member" }]);
    expect(listed.text).not.toContain(code);
    expect((await request(token, "DELETE", `/api/invitations/${body["id"]}`)).status).toBe(204);
    expect(await access.invitations.get(code)).toBeUndefined();
  });

  it("keeps the team's projects, and tells an admin what was changed by whom", async () => {
    const { request, ada, vic } = await open();
    const token = ada.pair.accessToken;
    const added = await request(token, "POST", "/api/projects", { name: "Shop" });
    expect(added.status).toBe(201);
    const listed = await request(vic.pair.accessToken, "GET", "/api/projects");
    expect(listed.body["projects"]).toEqual([added.body]);
    const audit = await request(token, "GET", "/api/audit?limit=2");
    expect(audit.body).toMatchObject({ intact: true });
    expect(audit.body["entries"]).toHaveLength(2);
    expect((audit.body["entries"] as unknown[]).at(-1)).toMatchObject({ actor: "ada@example.com" });
    expect((await request(vic.pair.accessToken, "GET", "/api/audit")).status).toBe(403);
    expect((await request(token, "GET", "/api/audit?limit=0")).status).toBe(400);
  });

  it("makes a link for a member's new password, good on the page", async () => {
    const { request, access, ada, vic } = await open();
    const path = `/api/teams/${ada.by.team.id}/members/${vic.by.user.id}/reset`;
    const { status, body } = await request(ada.pair.accessToken, "POST", path);
    expect([status, Object.keys(body).sort()]).toEqual([201, ["expiresAt", "link"]]);
    const link = new URL(String(body["link"]));
    expect(link.origin + link.pathname).toBe("https://forge.example/reset");
    expect(await access.recovery.userOf(link.searchParams.get("code") ?? "")).toMatchObject({ id: vic.by.user.id });
    await access.recovery.reset(link.searchParams.get("code") ?? "", "a whole new one", at);
  });

  it("makes teams, lists one's own and signs devices in to the one they ask for", async () => {
    const { request, access, ada, vic } = await open();
    const token = ada.pair.accessToken;
    const made = await request(token, "POST", "/api/teams", { name: "Engines" });
    expect(made).toMatchObject({ status: 201, body: { name: "Engines", slug: "engines" } });
    const { body } = await request(token, "GET", "/api/teams");
    expect(body["teams"]).toHaveLength(2);
    expect((await request(vic.pair.accessToken, "GET", "/api/teams")).body["teams"]).toMatchObject([
      { slug: "acme", role: "viewer" },
    ]);
    const there = { "x-team-id": String(made.body["id"]) };
    expect((await request(token, "GET", "/api/me", undefined, there)).body).toMatchObject({ role: "admin" });
    const asked = await request(undefined, "POST", "/api/auth/device/request", { team: "engines" });
    await request(ada.cookie, "POST", "/api/auth/device/verify", { userCode: asked.body["userCode"] });
    const answer = await access.devices.redeem(String(asked.body["deviceCode"]), at);
    expect(answer).toMatchObject({ team: { slug: "engines" } });
    expect((await request(undefined, "POST", "/api/auth/device/request", { team: "No Slug!" })).status).toBe(400);
  });

  it("renames and removes projects", async () => {
    const { request, make, ada } = await open();
    const token = ada.pair.accessToken;
    const path = `/api/projects/${await make.project(ada)}`;
    expect(await request(token, "PATCH", path, { name: "Market" })).toMatchObject({
      status: 200,
      body: { name: "Market" },
    });
    expect((await request(token, "DELETE", path)).status).toBe(204);
    expect((await request(token, "DELETE", path)).status).toBe(404);
  });

  it("M8: shows attempts on unknown accounts to the first team's admin alone", async () => {
    const { request, access, ada } = await open();
    await access.signIn.withPassword("nobody@example.com", "wrong password", at).catch(() => undefined);
    const { status, body } = await request(ada.pair.accessToken, "GET", "/api/audit?server=true");
    expect(status).toBe(200);
    expect(body).toMatchObject({ intact: true, entries: [{ actor: "nobody@example.com" }] });
    expect((await request(ada.pair.accessToken, "GET", "/api/audit")).text).not.toContain("nobody@example.com");
    expect((await request(ada.pair.accessToken, "GET", "/api/audit?server=maybe")).status).toBe(400);
  });

  it.each(["nonsense", "tickets:delete", "foo:read"])(
    "L3: says which scopes there are in place of %s",
    async (scope) => {
      const { request, ada } = await open();
      const { status, text } = await request(ada.pair.accessToken, "POST", "/api/tokens", {
        name: "CI",
        scopes: [scope],
      });
      expect(status).toBe(400);
      for (const known of ada.by.scopes) expect(text).toContain(known);
    },
  );
});
