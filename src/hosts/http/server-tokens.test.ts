import { describe, expect, test } from "vitest";
import { serverOpener } from "../../../test/harness/http/team-server.ts";
import { bob, home, join } from "../../../test/harness/rooms/access.ts";
import { makeAccess } from "../../rooms/access/service/access.ts";

const open = serverOpener();

describe("a token that was ended elsewhere", () => {
  /** Read with, so that it is remembered, and then ended behind this server's back. */
  async function openWithEnded() {
    const server = await open();
    const { access, ada, request, database, clock } = server;
    const elsewhere = makeAccess({ database, now: clock.now });
    const made = await access.tokens.create(
      ada.by,
      { name: "Elsewhere", scopes: ["tickets:read", "tickets:write"], days: 1 },
      home,
    );
    const statusOf = async (method: string, path: string, body?: unknown) =>
      (await request(method, path, { token: made.secret, body })).status;
    expect(await statusOf("GET", "/api/tickets")).toBe(200);
    await elsewhere.tokens.revoke(ada.by, made.id, home);
    return { ...server, statusOf };
  }

  test("K09 changes nothing from then on", async () => {
    const { statusOf } = await openWithEnded();
    expect(await statusOf("POST", "/api/tickets", { title: "Too late" })).toBe(401);
    expect(await statusOf("GET", "/api/tickets")).toBe(401);
  });

  test("may be remembered for looking, whatever others are refused or poll for", async () => {
    const { statusOf, request, token, viewerToken } = await openWithEnded();
    const refused = [
      await request("POST", "/api/projects", { token: viewerToken, body: { name: "Shop" } }),
      await request("POST", "/api/projects", { token, body: {} }),
      await request("DELETE", "/api/tokens/00000000-0000-4000-8000-000000000000", { token }),
      await request("POST", "/api/auth/device/token", { body: { deviceCode: "x" } }),
      await request("POST", "/api/auth/refresh", { body: { refreshToken: "none" } }),
      await request("POST", "/signin", { headers: { "content-type": "application/x-www-form-urlencoded" } }),
    ];
    for (const { status } of refused) expect(status).toBeGreaterThanOrEqual(400);
    expect((await request("POST", "/api/auth/device/request")).status).toBe(200);
    expect((await request("POST", "/api/tickets", { token, body: { title: "One" } })).status).toBe(201);
    expect(await statusOf("GET", "/api/tickets")).toBe(200);
  });

  test.each([
    ["a project", "POST", "/api/projects", { name: "Shop" }],
    ["a token", "POST", "/api/tokens", { name: "CI", scopes: ["tickets:read"], days: 1 }],
    ["a logout", "POST", "/api/auth/logout", undefined],
  ])("is forgotten with %s that changes who may do what", async (_what, method, path, body) => {
    const { statusOf, request, token } = await openWithEnded();
    expect((await request(method, path, { token, body })).status).toBeLessThan(300);
    expect(await statusOf("GET", "/api/tickets")).toBe(401);
  });
});

describe("an assistant that speaks for somebody", () => {
  test("gives way to the person's own command, and to no other person's", async () => {
    const { request, token, access, ada } = await open();
    const member = await join(access, ada.by, { ...bob, email: "cy@example.com", displayName: "Cy" }, "member");
    const { id } = (await (
      await request("POST", "/api/tickets", { token, body: { title: "Add logout", status: "READY" } })
    ).json()) as { id: string };
    const claim = async (by: string, headers: Record<string, string>) =>
      (await request("POST", `/api/tickets/${id}/claim`, { token: by, body: {}, headers })).status;
    const cys = member.pair.accessToken;
    expect(await claim(cys, { "x-forge-agent": "claude-code", "x-forge-instance": "1" })).toBe(200);
    expect(await claim(cys, { "x-forge-agent": "cursor", "x-forge-instance": "2" })).toBe(409);
    expect(await claim(cys, { "x-forge-agent": "cursor", "x-forge-instance": "2", "x-forge-person": "yes" })).toBe(409);
    expect(await claim(cys, { "x-forge-agent": "forge", "x-forge-instance": "3", "x-forge-person": "1" })).toBe(200);
    const dee = await join(access, ada.by, { ...bob, email: "dee@example.com", displayName: "Dee" }, "member");
    expect(await claim(dee.pair.accessToken, { "x-forge-agent": "forge", "x-forge-person": "1" })).toBe(409);
    // An admin's word goes over everybody's claims.
    expect(await claim(token, { "x-forge-agent": "forge", "x-forge-person": "1" })).toBe(200);
  });

  test("is named in the ledger, and cannot be somebody else by its headers", async () => {
    const { request, token, ada } = await open();
    const headers = { "x-forge-agent": `claude-code${"x".repeat(200)}`, "x-user-id": "u-victim" };
    await request("POST", "/api/tickets", { token, body: { title: "Add logout" }, headers });
    const { entries } = (await (await request("GET", "/api/activity", { token })).json()) as {
      entries: { agent: string; principal: string }[];
    };
    expect(entries).toMatchObject([{ principal: ada.by.user.id, agent: expect.stringMatching(/^claude-codex{89}$/) }]);
  });
});
