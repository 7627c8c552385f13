import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { callRecord } from "../../../../test/harness/cli/cli.ts";
import { makeHttp } from "../../../../test/harness/http/fixture-http.ts";
import type { Status } from "./status-page.ts";

const hostile = `"><script>alert('x')</script>&amp;<img src=x onerror=1>`;

const status: Status = {
  version: "1.2.3",
  project: `/home/${hostile}`,
  mcpUrl: "http://127.0.0.1:7717/mcp",
  toolsets: [{ title: hostile, served: true, reason: hostile, tools: 1, tokens: 2 }],
  activity: [
    callRecord({ name: hostile, agent: hostile, principal: hostile, about: [hostile], outcome: "error" }),
    callRecord({ agent: undefined, principal: hostile }),
  ],
};

async function page(shown: Status = status) {
  const response = await makeHttp(shown).app.request("/", { headers: { host: "localhost" } });
  return { response, html: await response.text() };
}

describe("the status page", () => {
  test("H01 shows hostile text as text", async () => {
    const { html } = await page();
    expect(html.match(/<script|<img|onerror=1>/g)).toBeNull();
    expect(html).toContain("&#60;script&#62;alert(&#39;x&#39;)&#60;/script&#62;&#38;amp;");
  });

  test("may run and load nothing, and be framed by nobody", async () => {
    const { response, html } = await page();
    const policy = response.headers.get("content-security-policy") ?? "";
    for (const rule of ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(rule);
    }
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
    expect(policy).toContain(`'sha256-${createHash("sha256").update(style).digest("base64")}'`);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("says so where there were no calls yet", async () => {
    expect((await page({ ...status, activity: [] })).html).toContain("None yet.");
  });

  test("is not there where only MCP is served", async () => {
    expect((await makeHttp().app.request("/", { headers: { host: "localhost" } })).status).toBe(404);
  });
});
