import { describe, expect, test } from "vitest";
import { bob, home, join } from "../../../test/harness/access.ts";
import { temporaryFolder } from "../../../test/harness/store.ts";
import { openServerWithPeople, publicUrl } from "../../../test/harness/team-server.ts";
import { LocalAccess } from "../../rooms/access/index.ts";
import type { TeamAppOptions } from "../../team-app.ts";

const folder = temporaryFolder();
let stores = 0;

function open(options: Partial<TeamAppOptions> = {}) {
  return openServerWithPeople({ file: `${folder()}/${++stores}/forge.db` }, options);
}

describe("K01 without a token that is accepted", () => {
  test.each([
    ["none", undefined, "AUTH_REQUIRED"],
    ["one of another kind", "Basic YW5uOnB3", "AUTH_FAILED"],
    ["a garbled one", "Bearer \u00e4\u00f6", "AUTH_FAILED"],
    ["an unknown one", `Bearer fga_${"x".repeat(43)}`, "AUTH_FAILED"],
    ["a very long one", `Bearer ${"x".repeat(10_000)}`, "AUTH_FAILED"],
  ])("(%s) a request is told where to get one, as JSON", async (_what, authorization, code) => {
    const { request } = await open();
    for (const path of ["/api/tickets", "/api/events", "/api/activity"]) {
      const response = await request("GET", path, { headers: authorization === undefined ? {} : { authorization } });
      expect(response.status, path).toBe(401);
      expect(response.headers.get("www-authenticate")).toContain(
        `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource"`,
      );
      expect(await response.json()).toMatchObject({ error: true, code });
    }
  });

  test("an expired one, a revoked one and one that never was get the very same answer", async () => {
    const { request, token, viewerToken, access, clock } = await open();
    const answers: string[] = [];
    const ask = async (given: string) => answers.push(await (await request("GET", "/api/me", { token: given })).text());
    await access.endToken(viewerToken, { address: "x" });
    await ask(viewerToken);
    clock.pass(16 * 60);
    await ask(token);
    await ask("fga_never");
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain("AUTH_FAILED");
  });

  test("what is revoked here ends at once, though it was accepted a moment before", async () => {
    const { request, token, viewerToken } = await open();
    expect((await request("GET", "/api/me", { token: viewerToken })).status).toBe(200);
    await request("POST", "/api/auth/logout", { token: viewerToken });
    expect((await request("GET", "/api/me", { token: viewerToken })).status).toBe(401);
    expect((await request("GET", "/api/me", { token })).status).toBe(200);
  });
});

describe("K09 who a server may be called by and from where", () => {
  const status = async (headers: Record<string, string>, options: Partial<TeamAppOptions> = {}, path = "/health") => {
    const { request } = await open(options);
    return (await request("GET", path, { headers })).status;
  };

  test.each(["forge.example", "forge.example:443", "FORGE.example", "127.0.0.1:7718", "localhost", "[::1]:7718"])(
    "Host %s is its own",
    async (host) => {
      expect(await status({ host })).toBe(200);
    },
  );

  test.each([
    "evil.example",
    "forge.example.evil.example",
    "127.0.0.1@evil.example",
    "192.0.2.5",
    "",
    "forge.example/x",
  ])("Host %s is not", async (host) => {
    expect(await status({ host })).toBe(403);
  });

  test("bound to more than loopback it may be called by any address, and by no other name", async () => {
    for (const host of ["192.0.2.5:7718", "[2001:db8::1]"])
      expect(await status({ host }, { host: "0.0.0.0" })).toBe(200);
    expect(await status({ host: "evil.example" }, { host: "0.0.0.0" })).toBe(403);
  });

  test.each([
    "null",
    "http://evil.example",
    "http://localhost.evil.example",
    "http://forge.example",
    "http://localhost:1",
  ])("Origin %s is refused", async (origin) => {
    expect(await status({ host: "forge.example", origin }, {}, "/api/health")).toBe(403);
  });

  test("its own pages may call, and send forms that keep their address to themselves", async () => {
    const { request } = await open();
    const send = async (headers: Record<string, string>) =>
      (await request("POST", "/signin", { headers: { host: "forge.example", ...headers } })).status;
    expect(await send({ origin: publicUrl })).not.toBe(403);
    expect(await send({ origin: "null", "sec-fetch-site": "same-origin" })).not.toBe(403);
    expect(await send({ origin: "null", "sec-fetch-site": "cross-site" })).toBe(403);
  });
});

describe("K22 pages elsewhere", () => {
  const origin = "https://board.example";

  test("may not call unless they were named", async () => {
    const { request } = await open();
    const response = await request("OPTIONS", "/api/tickets", { headers: { origin } });
    expect(response.status).toBe(403);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("may where they were, by name and without cookies", async () => {
    const { request, token } = await open({ corsOrigins: [origin] });
    const preflight = await request("OPTIONS", "/api/tickets", { headers: { origin } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization");
    const response = await request("GET", "/api/tickets", { token, headers: { origin } });
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.get("vary")).toContain("Origin");
    const other = await request("GET", "/api/tickets", { token, headers: { origin: "https://evil.example" } });
    expect(other.status).toBe(403);
  });
});

describe("K17 too many requests", () => {
  const few = { perSecond: 1, burst: 2 };

  test("of one person are refused with when to come back, and others go on", async () => {
    const { request, token, viewerToken } = await open({ rates: { read: few } });
    const statuses: number[] = [];
    for (let sent = 0; sent < 3; sent++) {
      const response = await request("GET", "/api/tickets", {
        token,
        headers: { "x-forwarded-for": `192.0.2.${sent}` },
      });
      statuses.push(response.status);
      if (response.status === 429) expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([200, 200, 429]);
    expect((await request("GET", "/api/tickets", { token: viewerToken })).status).toBe(200);
  });

  test.each([
    [false, [200, 200, 429]],
    [true, [200, 200, 200]],
  ])(
    "of one address count together, whatever X-Forwarded-For says, unless a proxy is trusted (%s)",
    async (trustProxy, expected) => {
      const { request } = await open({ rates: { public: few }, trustProxy });
      const statuses: number[] = [];
      for (let sent = 0; sent < 3; sent++) {
        const headers = { "x-forwarded-for": `198.51.100.1, 192.0.2.${sent}` };
        statuses.push((await request("POST", "/api/auth/device/request", { headers })).status);
      }
      expect(statuses).toEqual(expected);
    },
  );

  test("with a trusted proxy the address is the one it saw, not what the client wrote before it", async () => {
    const { request } = await open({ rates: { public: few }, trustProxy: true });
    const statuses: number[] = [];
    for (let sent = 0; sent < 3; sent++) {
      const headers = { "x-forwarded-for": `198.51.100.${sent}, 192.0.2.1` };
      statuses.push((await request("POST", "/api/auth/device/request", { headers })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  test("of one subscriber's many IPv6 addresses count together", async () => {
    const { request } = await open({ rates: { public: few }, trustProxy: true });
    const statuses: number[] = [];
    for (let sent = 0; sent < 3; sent++) {
      const headers = { "x-forwarded-for": `2001:db8:1:2:${sent}::1` };
      statuses.push((await request("POST", "/api/auth/device/request", { headers })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  test("with tokens that are none are cut short", async () => {
    const { request } = await open({ rates: { refused: few } });
    const statuses: number[] = [];
    for (let sent = 0; sent < 3; sent++) statuses.push((await request("GET", "/api/me", { token: `x${sent}` })).status);
    expect(statuses).toEqual([401, 401, 429]);
  });
});

describe("everything a server answers", () => {
  test.each(["/health", "/api/tickets", "/nowhere", "/", "/signin", "/api/docs", "/api/openapi.json"])(
    "has the headers that keep browsers from making more of it: %s",
    async (path) => {
      const { request } = await open();
      const { headers } = await request("GET", path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("strict-transport-security")).toContain("max-age");
    },
  );

  test("K18 forms are limited too, announced or not", async () => {
    const { app } = await open();
    const body = new Blob([`x=${"y".repeat(100_000)}`]).stream();
    const headers = { host: "127.0.0.1", "content-type": "application/x-www-form-urlencoded" };
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    expect((await app.request("/signin", init)).status).toBe(413);
  });

  test("health says that it is up, ready whether the database answers and it is not ending", async () => {
    const { request, end, database } = await open();
    const ready = async () => {
      const response = await request("GET", "/ready");
      return [response.status, await response.json()];
    };
    expect(await ready()).toEqual([200, { ready: true }]);
    end();
    expect(await ready()).toEqual([503, { ready: false }]);
    await database.close();
    expect(await ready()).toEqual([503, { ready: false }]);
    expect(await (await request("GET", "/health")).json()).toMatchObject({ status: "ok" });
  });

  test("is a team's own: activity of one team is not seen by another, nor under a mark that a caller made up", async () => {
    const { request, token, ada } = await open();
    await request("POST", "/api/tickets", { token, body: { title: "Add logout" } });
    const mine = (await (await request("GET", "/api/activity", { token })).json()) as {
      entries: { about: string[] }[];
    };
    expect(mine.entries.map(({ about }) => about)).toEqual([[`team:${ada.by.team.id}`, "ticket:T-001"]]);
  });
});

test.each(["limit=0", "limit=501", "limit=abc", "limit=1e9", "limit=10&limit=20", "sort=name", "since=soon"])(
  "K25 activity is not given by %s",
  async (query) => {
    const { request, token } = await open();
    expect((await request("GET", `/api/activity?${query}`, { token })).status).toBe(400);
  },
);

describe("a token that was ended elsewhere", () => {
  /** Read with, so that it is remembered, and then ended behind this server's back. */
  async function openWithEnded() {
    const server = await open();
    const { access, ada, request, database, clock } = server;
    const elsewhere = new LocalAccess({ database, now: clock.now });
    const made = await access.createToken(
      ada.by,
      { name: "Elsewhere", scopes: ["tickets:read", "tickets:write"], days: 1 },
      home,
    );
    const statusOf = async (method: string, path: string, body?: unknown) =>
      (await request(method, path, { token: made.secret, body })).status;
    expect(await statusOf("GET", "/api/tickets")).toBe(200);
    await elsewhere.revokeToken(ada.by, made.id, home);
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
