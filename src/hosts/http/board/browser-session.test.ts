import { expect, test } from "vitest";
import { Visitor } from "../../../../test/harness/http/page-visitor.ts";
import { publicUrl, serverOpener } from "../../../../test/harness/http/team-server.ts";

const openServer = serverOpener();

async function open() {
  const server = await openServer();
  const visitor = new Visitor(server.app, { host: "127.0.0.1" });
  await visitor.signIn();
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const session = await server.access.sessions.get(visitor.cookies.get("__Host-forge_session") ?? "");
  const csrf = session?.csrf ?? "";
  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
    server.request(method, path, { headers: { cookie, ...headers }, body });
  return { ...server, send, csrf, visitor };
}

test("a browser that is signed in reads and changes tickets as its person, whose own text it is", async () => {
  const { send, csrf } = await open();
  const created = await send("POST", "/api/tickets", { "x-csrf-token": csrf }, { title: "From the board" });
  expect(created.status).toBe(201);
  expect(await created.json()).toMatchObject({ id: "T-001", createdBy: "Ada", foreign: false });
  const read = await send("GET", "/api/tickets/T-001/view");
  expect(await read.json()).toMatchObject({ title: "From the board", history: [{ by: "Ada", agent: "board" }] });
});

test("a change needs the text that only our own page knows, and the cookie is no bearer token", async () => {
  const { send, request, csrf, visitor } = await open();
  const draft = { title: "Sent by another site" };
  expect((await send("POST", "/api/tickets", {}, draft)).status).toBe(401);
  expect((await send("POST", "/api/tickets", { "x-csrf-token": "wrong" }, draft)).status).toBe(401);
  const evil = { "x-csrf-token": csrf, origin: "https://evil.example" };
  expect((await send("POST", "/api/tickets", evil, draft)).status).toBe(403);
  const token = visitor.cookies.get("__Host-forge_session") ?? "";
  expect((await request("GET", "/api/tickets", { token })).status).toBe(401);
  const own = { "x-csrf-token": csrf, origin: publicUrl };
  expect((await send("POST", "/api/tickets", own, { title: "Ours" })).status).toBe(201);
});

test("signing out ends it at once, also for reads", async () => {
  const { send, visitor } = await open();
  expect((await send("GET", "/api/tickets")).status).toBe(200);
  await visitor.open("/signout");
  await visitor.send("/signout", {});
  expect((await send("GET", "/api/tickets")).status).toBe(401);
});

test("signing out over REST ends the browser's session", async () => {
  const { send, csrf } = await open();
  expect((await send("POST", "/api/auth/logout", { "x-csrf-token": csrf })).status).toBe(204);
  expect((await send("GET", "/api/tickets")).status).toBe(401);
});

test("a person in a browser creates and revokes tokens without another sign-in", async () => {
  const { send, csrf, request } = await open();
  const made = await send("POST", "/api/tokens", { "x-csrf-token": csrf }, { name: "ci", scopes: ["tickets:read"] });
  expect(made.status).toBe(201);
  const { id, secret } = (await made.json()) as { id: string; secret: string };
  expect((await request("GET", "/api/tickets", { token: secret })).status).toBe(200);
  expect((await send("DELETE", `/api/tokens/${id}`, { "x-csrf-token": csrf })).status).toBe(204);
  expect((await request("GET", "/api/tickets", { token: secret })).status).toBe(401);
});
