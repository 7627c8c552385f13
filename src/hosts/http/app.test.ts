import { describe, expect, test } from "vitest";
import { makeHttp } from "../../../test/harness/http/fixture-http.ts";
import { plantedSecret } from "../../../test/harness/mcp/fixture-faults.ts";
import { makeFixture } from "../../../test/harness/mcp/fixture-host.ts";

const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

function request(path: string, headers: Record<string, string> = {}, init: RequestInit = {}) {
  return makeHttp().app.request(path, { ...init, headers: { host: "127.0.0.1:7717", ...headers } });
}

describe("K09 who may call", () => {
  test.each(["127.0.0.1", "127.0.0.1:1", "localhost", "localhost:7717", "LOCALHOST:7717", "[::1]", "[::1]:7717"])(
    "Host %s is this machine",
    async (host) => {
      expect((await request("/api/echo?text=x", { host })).status).toBe(200);
    },
  );

  test.each([
    "evil.example",
    "localhost.evil.example",
    "evil.example:7717",
    "127.0.0.1.evil.example",
    "127.0.0.1@evil.example",
    "evil.example/127.0.0.1",
    "localhost/evil",
    "localhost:7717@evil.example",
    "localhost.",
    "0.0.0.0",
    "[::]",
    "[::ffff:7f00:1]",
    "192.168.0.1",
    "127.0.0.2",
    "localhost:99999",
    "",
  ])("Host %s is not", async (host) => {
    const response = await request("/api/echo?text=x", { host });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining("Host") } });
  });

  test("its own origin is allowed", async () => {
    expect((await request("/api/echo?text=x", { origin: "http://127.0.0.1:7717" })).status).toBe(200);
  });

  test.each([
    "null",
    "",
    "http://localhost",
    "http://localhost:5173",
    "https://127.0.0.1:7717",
    "http://127.0.0.1:8443",
    "http://[::1]:7717",
    "http://evil.example",
    "http://localhost.evil.example",
    "http://evil.example#localhost",
    "http://localhost@evil.example",
    "http://127.0.0.1.nip.io",
    "file://",
    "chrome-extension://abcdef",
    "javascript://localhost",
    "http://localhost/path",
    "http://0.0.0.0",
    "localhost",
  ])("Origin %s is not", async (origin) => {
    for (const path of ["/api/echo?text=x", "/mcp", "/nowhere"]) {
      const response = await request(path, { origin }, { method: path === "/mcp" ? "POST" : "GET" });
      expect(response.status, path).toBe(403);
    }
  });

  test("a page of another origin is given no leave to read anything", async () => {
    const response = await request("/mcp", { origin: "http://localhost:5173" }, { method: "OPTIONS" });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("K18 bodies", () => {
  const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const large = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { x: "y".repeat(5 * 1_048_576) } });

  test.each(["/mcp", "/api/echo"])("over the limit are refused at %s, announced or not", async (path) => {
    const announced = await request(
      path,
      { ...json, "content-length": String(large.length) },
      { method: "POST", body: large },
    );
    const streamed = await request(path, json, {
      method: "POST",
      body: new Blob([large]).stream(),
      duplex: "half",
    } as RequestInit);
    for (const response of [announced, streamed]) {
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining("4 MiB") } });
    }
  });

  test("of a listening request are limited too, however long they go on", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const headers = { ...json, "mcp-method": "subscriptions/listen", "mcp-protocol-version": "2026-07-28" };
    const response = await request("/mcp", headers, { method: "POST", body: endless, duplex: "half" } as RequestInit);
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(6 * 1_048_576);
  });

  test.each([
    ["text/plain", ping, 415],
    ["text/plain;x=application/json", ping, 415],
    ["multipart/form-data", ping, 415],
    ["application/json", "{bad", 400],
    ["application/json", "", 400],
  ])("of type %s (%s) are answered with %i", async (type, body, status) => {
    const response = await request("/mcp", { ...json, "content-type": type }, { method: "POST", body });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) } });
  });

  test("that are compressed are not unpacked", async () => {
    const { gzipSync } = await import("node:zlib");
    const bomb = gzipSync(Buffer.alloc(50 * 1_048_576));
    const response = await request("/mcp", { ...json, "content-encoding": "gzip" }, { method: "POST", body: bomb });
    expect(response.status).toBe(400);
  });
});

describe("routes", () => {
  test.each(["/nowhere", "/mcp/x", "/api", "/..%2f..%2fetc/passwd", "/%00"])("%s is a JSON 404", async (path) => {
    const response = await request(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: true, code: "NOT_FOUND" });
  });

  test("check their query, name what was wrong and answer as JSON", async () => {
    expect(await (await request("/api/echo?text=hi")).json()).toEqual({ said: "hi" });
    for (const query of ["", "?text=a&more=b", `?text=${"x".repeat(101)}`]) {
      const response = await request(`/api/echo${query}`);
      expect(response.status, query).toBe(400);
      expect(await response.json()).toMatchObject({
        code: "VALIDATION_ERROR",
        message: expect.stringContaining("text"),
      });
    }
  });

  test("K26 say what a person may know of a failure and nothing else", async () => {
    const logged: string[] = [];
    const log = (level: string, message: string, fields?: object) =>
      void (level === "error" && logged.push(`${message} ${JSON.stringify(fields)}`));
    const { app } = makeHttp(undefined, makeFixture({ log }));
    const get = (how: string) => app.request(`/api/fail?how=${how}`, { headers: { host: "localhost" } });
    const [stranger, conflict] = [await get("stranger"), await get("conflict")];
    expect([stranger.status, conflict.status]).toEqual([500, 409]);
    const texts = [await stranger.text(), await conflict.text(), ...logged].join("\n");
    expect(texts).not.toContain(plantedSecret);
    expect(texts.split("\n")[0]).not.toMatch(/secret-place|at .*\.ts/);
    const { details } = JSON.parse(texts.split("\n")[0] ?? "");
    expect(logged).toEqual([expect.stringContaining(details.reference)]);
  });

  test("need the scope they name", async () => {
    const response = await request("/api/guarded");
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "PERMISSION_DENIED", details: { scope: "fixture:write" } });
  });
});
