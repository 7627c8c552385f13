import { expect, it } from "vitest";
import { describeOnEngines } from "../../../test/harness/store.ts";
import { openTwoTeams } from "../../../test/harness/two-teams.ts";

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
    const { userCode, deviceCode } = await access.requestDevice("forge", at);
    const verify = (bearer: string | undefined, code: unknown) =>
      request(bearer, "POST", "/api/auth/device/verify", { userCode: code });
    for (const bearer of [undefined, ada.pair.accessToken, ada.pair.refreshToken])
      expect((await verify(bearer, userCode)).status).toBe(401);
    expect(await verify(ada.cookie, "ZZZZ-ZZZZ")).toMatchObject({ status: 400, body: { error: "invalid_code" } });
    for (const code of ["1", "OOOO-1111", "", 5]) expect((await verify(ada.cookie, code)).status).toBe(400);
    expect(await access.redeemDevice(deviceCode, at)).toMatchObject({ refusal: "authorization_pending" });
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
    const { secret } = await access.createToken(ada.by, { name: "CI", scopes: ["tickets:write"], days: 1 }, at);
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
    expect(await access.invitation(code)).toMatchObject({ role: "member", email: "m@example.com" });
    const listed = await request(token, "GET", "/api/invitations");
    expect(listed.body["invitations"]).toMatchObject([{ id: body["id"], role: "member" }]);
    expect(listed.text).not.toContain(code);
    expect((await request(token, "DELETE", `/api/invitations/${body["id"]}`)).status).toBe(204);
    expect(await access.invitation(code)).toBeUndefined();
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
});
