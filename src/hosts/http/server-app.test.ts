import { describe, expect, test } from "vitest";
import { publicUrl, serverOpener } from "../../../test/harness/http/team-server.ts";
import type { TeamAppOptions } from "../../app/server/team-app.ts";

const open = serverOpener();

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
    await access.tokens.end(viewerToken, { address: "x" });
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

  test.each(["cross-site", "same-site"])(
    "a page of another site (%s) does not use up its visitors' attempts",
    async (site) => {
      const { request } = await open({ rates: { attempt: { perSecond: 0.01, burst: 2 } } });
      const load = async (dest: string) => {
        const headers = { host: "forge.example", "sec-fetch-site": site, "sec-fetch-dest": dest };
        return (await request("GET", "/invite?code=x", { headers })).status;
      };
      for (const dest of ["image", "iframe", "script", "empty"]) expect(await load(dest), dest).toBe(403);
      // A link that somebody follows.
      expect(await load("document")).toBe(404);
    },
  );
});

test.each(["/api/openapi.json", "/api/docs", "/.well-known/oauth-protected-resource"])(
  "K17 %s is limited like every request without a token",
  async (path) => {
    const { request } = await open({ rates: { public: { perSecond: 0.01, burst: 1 } } });
    expect((await request("GET", path)).status).toBe(200);
    const refused = await request("GET", path);
    expect([refused.status, refused.headers.has("retry-after")]).toEqual([429, true]);
  },
);

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
