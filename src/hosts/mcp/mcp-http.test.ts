import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../test/harness/cli/processes.ts";
import { listenHttp, makeHttp } from "../../../test/harness/http/fixture-http.ts";
import { type ClientEra, eras, makeClient } from "../../../test/harness/mcp/client.ts";
import { stateless } from "../../../test/harness/mcp/wire.ts";

const headers = {
  host: "localhost",
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

const body = (method: string, params: object = {}, id = 1) => JSON.stringify({ jsonrpc: "2.0", id, method, params });

const initialize = body("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "harness", version: "1" },
});

async function connect(url: string, era: ClientEra): Promise<Client> {
  const client = makeClient(era);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  onTestFinished(() => client.close());
  return client;
}

describe("sessions", () => {
  test("begin with initialize, live while used, and are gone after DELETE", async () => {
    const { app } = makeHttp();
    const send = (extra: Record<string, string>, init: RequestInit) =>
      app.request("/mcp", { ...init, headers: { ...headers, ...extra } });
    const opened = await send({}, { method: "POST", body: initialize });
    const session = {
      "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
      "mcp-protocol-version": "2025-11-25",
    };
    expect(session["mcp-session-id"]).toMatch(/^[\w-]{36}$/);
    const list = await send(session, { method: "POST", body: body("tools/list") });
    expect(await list.text()).toContain('"echo"');
    expect((await send(session, { method: "DELETE" })).status).toBe(200);
    const after = await send(session, { method: "POST", body: body("tools/list") });
    expect(after.status).toBe(404);
    expect(await after.json()).toMatchObject({ error: { message: expect.stringContaining("initialize") } });
  });

  test.each([
    ["a session nobody opened", { "mcp-session-id": "3d7c1f0e-0000-4000-8000-000000000000" }, "POST", 404],
    ["a session id that is none", { "mcp-session-id": "../../x" }, "POST", 404],
    ["no session at all", {}, "POST", 400],
    ["a stream without a session", {}, "GET", 400],
    ["a method of its own", {}, "PUT", 405],
  ])("are refused for %s", async (_what, extra, method, status) => {
    const { app } = makeHttp();
    const init = { method, headers: { ...headers, ...extra }, ...(method === "POST" && { body: body("tools/list") }) };
    const response = await app.request("/mcp", init);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { message: expect.any(String) } });
  });

  test("are bounded in number", async () => {
    const { app, mcp } = makeHttp();
    onTestFinished(() => mcp.close());
    const open = () => app.request("/mcp", { method: "POST", headers, body: initialize });
    for (let index = 0; index < 128; index++) expect((await open()).status).toBe(200);
    const refused = await open();
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining("sessions") } });
  });
});

describe("the stateless revision", () => {
  const post = (method: string, params: object, extra: Record<string, string> = {}) =>
    makeHttp().app.request("/mcp", {
      method: "POST",
      headers: { ...headers, "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...extra },
      body: body(method, params),
    });

  test("needs no session and no handshake", async () => {
    const response = await post("tools/call", stateless({ name: "echo", arguments: { text: "hi" } }), {
      "mcp-name": "echo",
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("mcp-session-id")).toBeNull();
    expect(await response.text()).toContain('"said":"hi"');
  });

  test.each([
    ["an unsupported revision", stateless({}, {}, "2027-01-01"), { "mcp-protocol-version": "2027-01-01" }, -32022],
    ["a header that names another method", stateless(), { "mcp-method": "tools/call" }, -32020],
    ["no envelope", {}, {}, -32602],
  ])("refuses %s", async (_what, params, extra, code) => {
    const response = await post("tools/list", params, extra);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code } });
  });
});

describe.each(eras)("clients (%s)", (era) => {
  test("K08 with equal ids never see each other's answers", async () => {
    const { mcpUrl } = await listenHttp();
    const clients = await Promise.all([connect(mcpUrl, era), connect(mcpUrl, era), connect(mcpUrl, era)]);
    await Promise.all(
      clients.map(async (client, who) => {
        for (let round = 0; round < 40; round++) {
          const texts = Array.from({ length: 5 }, (_, index) => `${who}-${round}-${index}`);
          const answers = await Promise.all(
            texts.map((text) => client.callTool({ name: "echo", arguments: { text } })),
          );
          expect(answers.map(({ structuredContent }) => structuredContent)).toEqual(texts.map((said) => ({ said })));
        }
      }),
    );
  });

  test("K21 that go away in the middle of a call end it", async () => {
    const { mcpUrl, records } = await listenHttp();
    const client = await connect(mcpUrl, era);
    const canceller = new AbortController();
    const call = client.callTool({ name: "never_end", arguments: {} }, { signal: canceller.signal });
    call.catch(() => undefined);
    await client.callTool({ name: "echo", arguments: { text: "x" } });
    canceller.abort();
    await eventually("the call to be recorded as cancelled", () =>
      records.some(({ name, outcome }) => name === "never_end" && outcome === "cancelled"),
    );
  });
});
