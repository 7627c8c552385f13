import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/harness/db/store.ts";
import { openTestServer } from "../../../../test/harness/http/team-server.ts";
import type { TeamAppOptions } from "../../../app/server/team-app.ts";

const folder = temporaryFolder();
let stores = 0;

function open(options: Partial<TeamAppOptions>) {
  return openTestServer({ file: `${folder()}/${++stores}/forge.db` }, options);
}

describe("K17 too many attempts with a password or a code on the pages", () => {
  /** So slow that none comes back while a test runs. */
  const few = { perSecond: 0.001, burst: 2 };
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const attempts: [what: string, method: string, path: string][] = [
    ["signing in", "POST", "/signin"],
    ["setting up", "POST", "/setup"],
    ["an invitation", "GET", "/invite?code=x"],
    ["joining", "POST", "/invite"],
    ["a link for a new password", "GET", "/reset?code=x"],
    ["a new password", "POST", "/reset"],
    ["another password", "POST", "/password"],
    ["a device's code", "GET", "/device?code=ABCD-2345"],
    ["allowing a device", "POST", "/device"],
  ];

  test.each(attempts)("(%s) are refused, on a page that says when to come back", async (_what, method, path) => {
    const { request } = await open({ rates: { attempt: few }, trustProxy: true });
    const attempt = (address: string) => request(method, path, { headers: { ...form, "x-forwarded-for": address } });
    for (let sent = 0; sent < few.burst; sent++) expect((await attempt("192.0.2.1")).status).not.toBe(429);
    const refused = await attempt("192.0.2.1");
    const seconds = refused.headers.get("retry-after");
    expect([refused.status, Number(seconds) > 900]).toEqual([429, true]);
    expect(refused.headers.get("content-type")).toContain("text/html");
    expect(await refused.text()).toContain(`Send it again after ${seconds} s.`);
    expect((await attempt("192.0.2.2")).status).not.toBe(429);
  });

  test("count together, whichever page they are made on; looking at pages is no attempt", async () => {
    const { request } = await open({ rates: { attempt: few } });
    for (const path of ["/", "/signin", "/device", "/setup", "/signin", "/"]) {
      expect((await request("GET", path)).status, path).not.toBe(429);
    }
    const statuses = [];
    for (const [, method, path] of attempts.slice(0, 3))
      statuses.push((await request(method, path, { headers: form })).status);
    expect(statuses).toEqual([403, expect.any(Number), 429]);
    expect((await request("GET", "/signin")).status).toBe(200);
  });
});
