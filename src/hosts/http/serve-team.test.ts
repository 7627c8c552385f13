import { once } from "node:events";
import { Agent, type ClientRequest, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { setUp } from "../../../test/harness/access.ts";
import { temporaryFolder } from "../../../test/harness/store.ts";
import { Redactor } from "../../kernel/redact.ts";
import { migrations } from "../../migrations.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { LocalAccess } from "../../rooms/access/index.ts";
import { serveTeam, type TeamServerOptions } from "../../server.ts";

const folder = temporaryFolder();
let stores = 0;

const settings = { databaseUrl: undefined, ledgerDays: 90 };

async function start(options: Partial<TeamServerOptions> = {}) {
  const server = await serveTeam({
    settings,
    dataDir: join(folder(), `${++stores}`, "not", "there", "yet"),
    address: { port: 0 },
    redactor: new Redactor(),
    log: () => undefined,
    ...options,
  });
  onTestFinished(() => server.close());
  return { ...server, port: Number(new URL(server.url).port) };
}

function get(url: string, agent?: { keepAlive: boolean }): Promise<{ status: number; text: string }> {
  return exchange(httpRequest(url, { headers: { connection: agent?.keepAlive ? "keep-alive" : "close" } }));
}

function exchange(sent: ClientRequest, body?: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    sent.on("error", reject).on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", reject).on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.end(body);
  });
}

async function raw(port: number, text: string) {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  let received = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    received += chunk;
  });
  await once(socket, "connect");
  socket.write(text);
  return { socket, received: () => received, closed: once(socket, "close") };
}

describe("a team's server", () => {
  test("K10 listens on this machine alone unless told otherwise", async () => {
    const { url, publicUrl } = await start();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(publicUrl).toBe(url);
    const wide = await start({ address: { host: "0.0.0.0", port: 0 }, publicUrl: "https://forge.example/" });
    expect(wide.url).toContain("0.0.0.0");
    expect(wide.publicUrl).toBe("https://forge.example");
    expect((await get(`http://127.0.0.1:${wide.port}/api/tickets`)).status).toBe(401);
  });

  test("gives the link for the first admin until there is one", async () => {
    const dataDir = join(folder(), "links");
    const first = await start({ dataDir });
    expect(first.setupUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/setup\?code=.{20,}$/);
    expect((await get(first.setupUrl ?? "")).text).toContain("<form");
    await first.close();
    const second = await start({ dataDir });
    expect(second.setupUrl).not.toBe(first.setupUrl);
    expect(second.setupUrl).toBeDefined();
  });

  test("takes a public address that is nothing but scheme, name and port", async () => {
    for (const publicUrl of [
      "forge.example",
      "https://forge.example/forge",
      "ftp://forge.example",
      "https://a:b@c",
      "",
    ]) {
      await expect(start({ publicUrl }), publicUrl).rejects.toThrow(/not an address/);
    }
  });

  test("says a busy port by its number, and leaves the store closed", async () => {
    const { port } = await start();
    await expect(start({ address: { port } })).rejects.toThrow(`port ${port}`);
  });

  test("K19 a body that drips is cut off, and others are served meanwhile", async () => {
    const { port, url } = await start();
    const head = "POST /api/auth/device/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    const slow = await raw(port, `${head}Content-Length: 100\r\n\r\n`);
    const drip = setInterval(() => slow.socket.write(" "), 1_000);
    onTestFinished(() => clearInterval(drip));
    expect((await get(`${url}/health`)).status).toBe(200);
    await slow.closed;
    expect(slow.received()).toMatch(/^HTTP\/1\.1 408 /);
    expect((await get(`${url}/health`)).status).toBe(200);
  }, 60_000);

  test("K33 lets what is under way end, and then is gone", async () => {
    const { port, url, close } = await start();
    const body = JSON.stringify({ deviceCode: "x" });
    const head = "POST /api/auth/device/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    const underWay = await raw(port, `${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);
    // Its head is read once the server has answered something that came later on the same process.
    expect((await get(`${url}/health`, { keepAlive: true })).status).toBe(200);
    const closing = close();
    underWay.socket.write(body.slice(5));
    await underWay.closed;
    expect(underWay.received()).toMatch(/^HTTP\/1\.1 400 /);
    expect(underWay.received()).toContain("invalid_device_code");
    await closing;
    await expect(get(`${url}/health`)).rejects.toThrow(/ECONNREFUSED/);
  });

  test("K33 under load nothing that was acknowledged is lost, and nothing is answered with a failure", async () => {
    const dataDir = join(folder(), "load");
    const place = { file: join(dataDir, "forge.db") };
    const { url, close } = await start({ dataDir });
    const database = openDatabase<{ ticket: { id: string } }>(place, migrations);
    onTestFinished(() => database.close());
    const { pair } = await setUp(new LocalAccess({ database: database.forTables<unknown>() }));
    const acknowledged: string[] = [];
    const others: number[] = [];
    let closing: Promise<void> | undefined;
    async function work(): Promise<void> {
      for (;;) {
        const answer = await createTicket(url, pair.accessToken).catch(() => undefined);
        if (!answer) return;
        if (answer.status !== 201) return void others.push(answer.status);
        acknowledged.push(JSON.parse(answer.text).id);
        if (acknowledged.length === 50) closing = close();
      }
    }
    await Promise.all(Array.from({ length: 16 }, work));
    await closing;
    const kept = await database.read((db) => db.selectFrom("ticket").select("id").execute());
    expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
    expect(acknowledged.length).toBeGreaterThanOrEqual(50);
    expect(others).toEqual([]);
  });
});

const agent = new Agent({ keepAlive: true });

function createTicket(url: string, token: string): Promise<{ status: number; text: string }> {
  const body = JSON.stringify({ title: "Under load" });
  const headers = {
    "content-type": "application/json",
    "content-length": body.length,
    authorization: `Bearer ${token}`,
  };
  return exchange(httpRequest(`${url}/api/tickets`, { method: "POST", agent, headers }), body);
}
