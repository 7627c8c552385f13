import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { expect, onTestFinished, test, vi } from "vitest";
import { openBoard } from "../../src/app/local/board.ts";
import { findRunningServer } from "../../src/app/local/running-server.ts";
import { builtRooms } from "../../src/app/room-set.ts";
import { createApp } from "../../src/hosts/http/app.ts";
import type { Events } from "../../src/hosts/http/reply/events.ts";
import { requireLoopback } from "../../src/hosts/http/request/known-host.ts";
import { requireLink } from "../../src/hosts/http/request/link-token.ts";
import { listen } from "../../src/hosts/http/serve/listen.ts";
import type { Answer } from "../../src/kernel/calls/invoke.ts";
import { effects } from "../../src/kernel/effect.ts";
import type { LinkTokens } from "../../src/platform/secrets/link-token.ts";
import { writeServerMark } from "../../src/platform/state/server-mark.ts";
import { ticketRoutes } from "../../src/rooms/tickets/http/routes.ts";
import { CliProject } from "../harness/cli/cli.ts";
import { ForgeProcess } from "../harness/cli/forge-process.ts";
import { makeHttp } from "../harness/http/fixture-http.ts";

const secret = "a".repeat(43);
const linkSecret = "l".repeat(43);
const tokens = { client: secret, board: linkSecret };

function guarded(): Hono {
  const app = new Hono();
  app.use(requireLoopback);
  app.use(requireLink(tokens));
  app.get("/", (context) => context.text("the page"));
  app.all("/mcp", (context) => context.text("mcp"));
  return app;
}
const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  guarded().request(path, { ...init, headers: { host: "127.0.0.1:7717", ...headers } });

test("K a program without the project's token is refused, and told what to send", async () => {
  for (const authorization of [undefined, "Bearer wrong", `Basic ${secret}`]) {
    const answer = await ask("/mcp", authorization === undefined ? {} : { authorization }, { method: "POST" });
    expect(answer.status).toBe(401);
    const text = await answer.text();
    expect(text).toContain("Authorization: Bearer");
    expect(text).not.toContain(secret);
  }
  expect(await (await ask("/mcp", { authorization: `Bearer ${secret}` })).text()).toBe("mcp");
});

test("K the link's token is exchanged for a cookie that no script and no other site can use", async () => {
  const first = await ask("/");
  expect(first.status).toBe(401);
  expect(await first.text()).not.toContain(secret);
  expect((await ask("/link", {}, { method: "POST", body: "wrong" })).status).toBe(401);
  // An assistant's own token does not make it the user.
  expect((await ask("/link", {}, { method: "POST", body: secret })).status).toBe(401);
  expect((await ask("/mcp", { authorization: `Bearer ${linkSecret}` })).status).toBe(401);
  const linked = await ask("/link", { origin: "http://127.0.0.1:7717" }, { method: "POST", body: linkSecret });
  const cookie = linked.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
  expect(cookie).not.toContain(linkSecret);
  const [pair = ""] = cookie.split(";");
  expect(await (await ask("/", { cookie: pair })).text()).toBe("the page");
  // Browsers send it to every port of the machine, so a program there may know it.
  expect((await ask("/mcp", { cookie: pair }, { method: "POST" })).status).toBe(401);
});

test("K only the page is the user; an assistant's token is not, and without tokens nobody is", async () => {
  const seen: boolean[] = [];
  const board = {
    files: { script: "s", style: "s", worker: "w", files: [] },
    start: async () => ({}),
    events: { serve: () => undefined } as unknown as Events,
    readTool: async ({ isUser }: { isUser: boolean }) => {
      seen.push(isUser);
      return { kind: "value" as const, value: { structured: {}, text: "" } as unknown as Answer };
    },
  };
  const call = async (given: LinkTokens | undefined, headers: Record<string, string>) => {
    const { app } = makeHttp(undefined, undefined, given, board);
    const sent = { host: "127.0.0.1:7717", "content-type": "application/json", ...headers };
    return (await app.request("/api/tools/get_ticket", { method: "POST", headers: sent, body: "{}" })).status;
  };
  const linked = await ask("/link", {}, { method: "POST", body: linkSecret });
  const [cookie = ""] = (linked.headers.get("set-cookie") ?? "").split(";");
  expect(await call(tokens, { cookie })).toBe(200);
  expect(await call(tokens, { cookie, authorization: `Bearer ${secret}` })).toBe(200);
  expect(await call(undefined, {})).toBe(200);
  expect(await call(undefined, { cookie })).toBe(200);
  expect(seen).toEqual([true, false, false, false]);
});

test("K with an assistant's token, REST routes change nothing, and who reads tickets there has read them", async () => {
  const project = new CliProject();
  await project.do("create First");
  await project.inside(async (program) => {
    const { redactor, newId } = await program.openShared();
    const open = async (given: LinkTokens | undefined) => {
      const page = { version: "0", project: project.root, toolsets: [] };
      const options = { program, roomSet: builtRooms, page, mcpUrl: () => "", readOnly: false };
      const board = await openBoard({ ...options, hasTokens: given !== undefined });
      onTestFinished(() => board.stop());
      const mcp = async () => new Response();
      const log = () => undefined;
      const app = createApp({ mcp, status: undefined, ...board, tokens: given, redactor, log, newId });
      const headers = { host: "127.0.0.1:7717", "content-type": "application/json" };
      return (method: string, path: string, by: Record<string, string>, body?: object) =>
        app.request(path, { method, headers: { ...headers, ...by }, ...(body && { body: JSON.stringify(body) }) });
    };
    const send = await open(tokens);
    const sendUnknown = await open(undefined);
    const linked = await ask("/link", {}, { method: "POST", body: linkSecret });
    const [cookie = ""] = (linked.headers.get("set-cookie") ?? "").split(";");
    const bearer = { authorization: `Bearer ${secret}` };
    const { guard } = await program.store();
    const hasRead = () => guard.hasReadUntrusted(program.principal("claude-code"));

    const writes = ticketRoutes.filter(({ effect }) => effects[effect].access === "write");
    expect(writes.length).toBeGreaterThan(10);
    for (const { method, path } of writes) {
      const at = path.replaceAll(/:\w+/g, "T-001");
      for (const answer of [
        await send(method, at, bearer, {}),
        await send(method, at, { ...bearer, cookie }, {}),
        await sendUnknown(method, at, { cookie }, {}),
      ]) {
        expect([at, answer.status]).toEqual([at, 403]);
        expect(await answer.text()).toMatch(/only from the board in your browser.*\/mcp/);
      }
    }
    const rename = { title: "Renamed" };
    expect((await send("PATCH", "/api/tickets/T-001", { cookie }, rename)).status).toBe(200);
    expect((await send("GET", "/api/tickets/T-001", { cookie })).status).toBe(200);
    expect((await send("GET", "/api/activity", bearer)).status).toBe(200);
    expect(await hasRead()).toBe(false);
    // Whose token it is is not known, so that all of the user's assistants have read it.
    expect(await (await send("GET", "/api/tickets/T-001", bearer)).json()).toMatchObject(rename);
    expect(await hasRead()).toBe(true);
  });
});

test("K the whole program is behind the token", async () => {
  const { app } = makeHttp(undefined, undefined, tokens);
  const headers = { host: "127.0.0.1:7717" };
  for (const path of ["/", "/mcp", "/api/echo?text=x", "/status", "/board"]) {
    expect((await app.request(path, { headers })).status, path).toBe(401);
  }
  const authorization = `Bearer ${secret}`;
  expect((await app.request("/api/echo?text=x", { headers: { ...headers, authorization } })).status).toBe(200);
});

test("K a program that listens where the project says its server does is not told the token", async () => {
  const home = mkdtempSync(join(tmpdir(), "forge-link-"));
  vi.stubEnv("HOME", home);
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const stateDir = join(home, "shop", ".forge");
  const find = async (app: Hono) => {
    const listening = await listen(app, { host: "127.0.0.1", port: 0 }, false);
    onTestFinished(() => listening.close());
    writeServerMark(stateDir, { url: listening.url, pid: process.ppid, version: "0" });
    return findRunningServer(stateDir, linkSecret, new AbortController().signal);
  };
  const impostor = new Hono().get("/", (context) => context.html("<title>Forge</title>"));
  expect(await find(impostor)).toMatchObject({ isProven: false });
  const other = new Hono().use(requireLink({ ...tokens, board: "b".repeat(43) }));
  expect(await find(other)).toMatchObject({ isProven: false });
  expect(await find(new Hono().use(requireLink(tokens)))).toMatchObject({ isProven: true });
  const { url } = (await find(new Hono().use(requireLink(tokens)))) ?? { url: "" };
  const relay = new Hono().get("/", (context) => fetch(`${url}/`, { headers: context.req.raw.headers }));
  expect(await find(relay)).toMatchObject({ isProven: false });
  // Another program may listen on the same port of the other address that the name stands for.
  writeServerMark(stateDir, { url: url.replace("127.0.0.1", "localhost"), pid: process.ppid, version: "0" });
  expect(await findRunningServer(stateDir, linkSecret, new AbortController().signal)).toMatchObject({
    isProven: false,
  });
});

test("K a project's file does not say where its server is", async () => {
  const project = new CliProject();
  const asked: string[] = [];
  const impostor = new Hono().use(async (context) => {
    asked.push(context.req.path);
    return context.html("<title>Forge</title>");
  });
  const listening = await listen(impostor, { host: "127.0.0.1", port: 0 }, false);
  onTestFinished(() => listening.close());
  mkdirSync(join(project.root, ".forge"));
  const mark = JSON.stringify({ url: listening.url, pid: process.ppid, version: "0" });
  writeFileSync(join(project.root, ".forge", "server.json"), mark);
  const env = { PATH: process.env["PATH"] ?? "", HOME: project.home };
  const server = new ForgeProcess(["up"], { cwd: project.root, env });
  expect(await server.says(/Board +(http:\S+)/)).not.toContain(listening.url);
  await project.run("doctor");
  expect(asked).toEqual([]);
});

test("K the cookies of two projects do not replace each other", async () => {
  const names = await Promise.all(
    [linkSecret, "b".repeat(43)].map(async (board) => {
      const app = new Hono().use(requireLink({ ...tokens, board }));
      const linked = await app.request("/link", { method: "POST", body: board });
      return linked.headers.get("set-cookie")?.split("=")[0];
    }),
  );
  expect(new Set(names).size).toBe(2);
});

test.each(["http://127.0.0.1:8080", "http://localhost:3000", "null", "http://evil.example"])(
  "K a page at %s is another site",
  async (origin) => {
    expect((await ask("/mcp", { origin, authorization: `Bearer ${secret}` })).status).toBe(403);
  },
);

test("K connections that send nothing give way to clients that work", async () => {
  const app = new Hono();
  app.get("/", (context) => context.text("ok"));
  const listening = await listen(app, { host: "127.0.0.1", port: 0 }, false, { all: 20, each: 20 });
  const silent: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of silent) socket.destroy();
    await listening.close();
  });
  for (let count = 0; count < 40; count++) {
    const socket = connect(listening.port, "127.0.0.1");
    socket.on("error", () => undefined);
    silent.push(socket);
    await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
    if (count % 2 === 0) socket.write("GET / HTTP/1.1\r\nHost: x");
  }
  expect(await (await fetch(listening.url)).text()).toBe("ok");
});

test("K19 a body that never ends holds no connection, with or without a token", async () => {
  const app = new Hono().use(requireLink(tokens));
  app.all("*", async (context) => context.text((await context.req.text()) && "ok"));
  // Those that give way.
  app.onError((_error, context) => context.text("closed", 400));
  const listening = await listen(app, { host: "127.0.0.1", port: 0 }, false, { all: 10, each: 10 });
  const slow: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of slow) socket.destroy();
    await listening.close();
  });
  const known = `Authorization: Bearer ${secret}\r\n`;
  for (const [path, header] of [
    ["/mcp", ""],
    ["/link", ""],
    ["/mcp", known],
  ] as const)
    for (let count = 0; count < 10; count++) {
      const socket = connect(listening.port, "127.0.0.1");
      socket.on("error", () => undefined);
      slow.push(socket);
      await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
      socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${header}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`);
      if (count < 9) continue;
      const answer = await fetch(listening.url, { headers: { authorization: `Bearer ${secret}` } });
      expect([path, header, answer.status]).toEqual([path, header, 200]);
    }
});

test("K19 requests that are cut off do not fill the log", async () => {
  const { app, logged } = makeHttp();
  const send = (incoming: object) => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("aborted")) });
    const init = { method: "POST", headers: { host: "localhost" }, body, duplex: "half" } as RequestInit;
    return app.request("/api/echo", init, { incoming });
  };
  await send({ destroyed: true, complete: false });
  expect(logged).toEqual([]);
  await send({ destroyed: false, complete: true });
  expect(logged).toHaveLength(1);
});

test("K every answer says that nobody may keep, frame or embed it", async () => {
  const { app } = makeHttp(undefined, undefined, tokens);
  const headers = { host: "127.0.0.1:7717", authorization: `Bearer ${secret}` };
  for (const path of ["/api/echo?text=x", "/api/nothing", "/status", "/mcp"]) {
    const { headers: given } = await app.request(path, { headers });
    expect([path, given.get("x-content-type-options")]).toEqual([path, "nosniff"]);
    expect([path, given.get("cross-origin-resource-policy")]).toEqual([path, "same-origin"]);
    expect([path, given.get("content-security-policy")]).toEqual([
      path,
      expect.stringContaining("frame-ancestors 'none'"),
    ]);
    expect([path, given.get("cache-control")]).toEqual([path, expect.stringMatching(/no-store|no-cache/)]);
  }
});

test.each(["cross-site", "same-site"])(
  "K09 a page of another site or port (%s) loads nothing with the cookie",
  async (site) => {
    const { headers } = await ask("/link", {}, { method: "POST", body: linkSecret });
    const [cookie = ""] = (headers.get("set-cookie") ?? "").split(";");
    const load = async (dest: string) =>
      (await ask("/", { cookie, "sec-fetch-site": site, "sec-fetch-dest": dest })).status;
    for (const dest of ["image", "iframe", "script", "empty"]) expect(await load(dest), dest).toBe(403);
    // A link that somebody follows.
    expect(await load("document")).toBe(200);
  },
);

test("K16 two requests of one body with the same id are refused", async () => {
  const { app } = makeHttp();
  const headers = {
    host: "localhost",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "twice", version: "1" } };
  const first = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const opened = await app.request("/mcp", { method: "POST", headers, body: first });
  await opened.body?.cancel();
  const ping = { jsonrpc: "2.0", id: 2, method: "ping" };
  const session = { ...headers, "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  const answer = await app.request("/mcp", { method: "POST", headers: session, body: JSON.stringify([ping, ping]) });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("a request with this id")]);
});

test("K when all sessions are taken, those that were only opened give way, and a refusal says when to try again", async () => {
  const { app } = makeHttp();
  const headers = {
    host: "localhost",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "greedy", version: "1" } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const open = () => app.request("/mcp", { method: "POST", headers, body });
  for (let count = 0; count < 128; count++) await (await open()).body?.cancel();
  const refused = await open();
  expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([503, 60]);
  const later = Date.now() + 6_000;
  vi.spyOn(Date, "now").mockReturnValue(later);
  onTestFinished(() => void vi.restoreAllMocks());
  expect((await open()).status).toBe(200);
});
