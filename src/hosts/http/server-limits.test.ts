import { describe, expect, test } from "vitest";
import { serverOpener } from "../../../test/harness/http/team-server.ts";

const open = serverOpener();

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

  test("K17 without a token keep nobody at the same address from renewing a sign-in; what is refused counts", async () => {
    const { request, ada } = await open({ rates: { public: few, refused: few } });
    const ask = async (path: string, body?: object) => (await request("POST", path, { body })).status;
    const others = [1, 2, 3].map(() => ask("/api/auth/device/request"));
    expect((await Promise.all(others)).sort()).toEqual([200, 200, 429]);
    const refused: number[] = [];
    for (const refreshToken of ["none", `fgr_${"a".repeat(43)}`, "none"])
      refused.push(await ask("/api/auth/refresh", { refreshToken }));
    expect(refused).toEqual([401, 401, 429]);
    expect(await ask("/api/auth/refresh", { refreshToken: ada.pair.refreshToken })).toBe(200);
  });

  test("with a trusted proxy the address is the one it saw, not what the client wrote before it", async () => {
    const { request } = await open({ rates: { public: few }, trustProxy: true });
    const statuses: number[] = [];
    for (let sent = 0; sent < 3; sent++) {
      const headers = { "x-forwarded-for": `198.51.100.${sent}, 192.0.2.1` };
      statuses.push((await request("POST", "/api/auth/device/request", { headers })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  test.each(["2001:db8:1:2:SENT::1", "2001:db8:1:SENT::1"])(
    "of one subscriber's many IPv6 addresses and networks count together: %s",
    async (address) => {
      const { request } = await open({ rates: { public: few, refused: few }, trustProxy: true });
      const statuses: number[][] = [];
      for (let sent = 0; sent < 3; sent++) {
        const headers = { "x-forwarded-for": address.replace("SENT", String(sent)) };
        const started = await request("POST", "/api/auth/device/request", { headers });
        const refused = await request("GET", "/api/me", { headers, token: "none" });
        statuses.push([started.status, refused.status]);
      }
      expect(statuses).toEqual([
        [200, 401],
        [200, 401],
        [429, 429],
      ]);
    },
  );

  test("K12 passwords from the many networks of one subscriber count together", async () => {
    const { request } = await open({ rates: { attempt: few }, trustProxy: true });
    const statuses: number[] = [];
    for (let sent = 0; sent < 3; sent++)
      statuses.push(
        (await request("POST", "/signin", { headers: { "x-forwarded-for": `2001:db8:1:${sent}::1` } })).status,
      );
    expect(statuses).toEqual([400, 400, 429]);
  });

  test.each(["192.0.2.1:PORT", "[2001:db8:1:2::1]:PORT"])(
    "of one address count together if the proxy names its ports: %s",
    async (address) => {
      const { request } = await open({ rates: { public: few }, trustProxy: true });
      const statuses: number[] = [];
      for (const port of ["1001", "1002", "1003"]) {
        const headers = { "x-forwarded-for": address.replace("PORT", port) };
        statuses.push((await request("POST", "/api/auth/device/request", { headers })).status);
      }
      expect(statuses).toEqual([200, 200, 429]);
    },
  );

  test("with tokens that are none are cut short", async () => {
    const { request } = await open({ rates: { refused: few } });
    const statuses: number[] = [];
    for (let sent = 0; sent < 3; sent++) statuses.push((await request("GET", "/api/me", { token: `x${sent}` })).status);
    expect(statuses).toEqual([401, 401, 429]);
  });
});

test("K18 without a token a body has 16 KiB: parsing a megabyte of brackets would hold up everyone", async () => {
  const { request, token } = await open();
  const body = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  for (const path of ["/api/auth/refresh", "/api/auth/device/request", "/api/auth/device/token"]) {
    const response = await request("POST", path, { body });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining("16 KiB") });
  }
  const title = "A ticket";
  const long = await request("POST", "/api/tickets", { token, body: { title, description: "x".repeat(100_000) } });
  expect(long.status).toBe(201);
});
