import { once } from "node:events";
import { Agent, type ClientRequest, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { migrations } from "../../../test/harness/db/all-migrations.ts";
import { temporaryFolder } from "../../../test/harness/db/store.ts";
import { setUp } from "../../../test/harness/rooms/access.ts";
import { serveTeam, type TeamServerOptions } from "../../app/server/server.ts";
import { Redactor } from "../../kernel/text/redactor.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { errorCode } from "../../platform/host/error-code.ts";
import { makeAccess } from "../../rooms/access/service/access.ts";

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

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

/** On a connection of its own, unless it is given one that is kept. */
function get(url: string, agent: Agent | false = false): Promise<Answer> {
  return exchange(httpRequest(url, { agent }));
}

function keptConnection(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return agent;
}

function exchange(sent: ClientRequest, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    sent.on("error", reject).on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      const { statusCode: status = 0, headers } = response;
      response.on("error", reject).on("end", () => resolve({ status, headers, text }));
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
    expect(wide.publicUrl).toBe("https://forge.example");
    expect(wide.advice).toBeUndefined();
    expect((await get(`http://127.0.0.1:${wide.port}/api/tickets`)).status).toBe(401);
  });

  test.each(["0.0.0.0", "::"])(
    "on every address (%s) names one that people can use, and says how to name another",
    async (host) => {
      const wide = await start({ address: { host, port: 0 } });
      const told = [wide.url, wide.publicUrl, wide.setupUrl, wide.advice].join(" ");
      expect(told).not.toMatch(/0\.0\.0\.0|\[::\]/);
      expect(wide.advice).toContain(wide.publicUrl);
      expect(wide.advice).toContain("--public-url");
      expect((await get(`${wide.publicUrl}/health`)).status).toBe(200);
      expect((await start()).advice).toBeUndefined();
    },
  );

  test.each([
    ["no-such-name.invalid", "was not found"],
    ["203.0.113.9", "not an address of this machine"],
  ])("cannot listen on %s, and says why", async (host, why) => {
    const error = await start({ address: { host, port: 0 } }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "CONFIG_ERROR", message: expect.stringContaining(why) });
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
      await expect(start({ publicUrl }), publicUrl).rejects.toThrow(/not a server.s public address/);
    }
  });

  test("says a busy port by its number, and leaves the store closed", async () => {
    const { port } = await start();
    await expect(start({ address: { port } })).rejects.toThrow(`Port ${port}`);
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
    expect(slow.received()).toContain('"code":"VALIDATION_ERROR"');
    expect((await get(`${url}/health`)).status).toBe(200);
  });

  test("K33 lets what is under way end, and then is gone", async () => {
    const { port, url, close } = await start();
    const body = JSON.stringify({ deviceCode: "x" });
    const head = "POST /api/auth/device/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    const underWay = await raw(port, `${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);
    // Its head is read once the server has answered something that came later on the same process.
    expect((await get(`${url}/health`)).status).toBe(200);
    const closing = close();
    underWay.socket.write(body.slice(5));
    await underWay.closed;
    expect(underWay.received()).toMatch(/^HTTP\/1\.1 400 /);
    expect(underWay.received()).toContain("invalid_device_code");
    await closing;
    await expect(get(`${url}/health`)).rejects.toThrow(/ECONNREFUSED/);
  });

  test("K33 who keeps a connection is told on it that the server ends, and not cut off", async () => {
    const { url, close } = await start();
    const kept = keptConnection();
    expect((await get(`${url}/ready`, kept)).status).toBe(200);
    const closing = close();
    const last = await get(`${url}/ready`, kept);
    expect([last.status, last.headers.connection]).toEqual([503, "close"]);
    await closing;
  });

  test("K33 a connection that nothing is asked on does not hold up the end", async () => {
    const { url, port, close } = await start();
    const silent = await raw(port, "");
    const kept = keptConnection();
    await get(`${url}/health`, kept);
    await close();
    await silent.closed;
    expect(silent.received()).toBe("");
  }, 9_000);

  test("K33 under load nothing that was acknowledged is lost, and nothing that was sent is cut off", async () => {
    const dataDir = join(folder(), "load");
    const place = { file: join(dataDir, "forge.db") };
    const { url, close } = await start({ dataDir });
    const database = openDatabase<{ ticket: { id: string } }>(place, migrations);
    onTestFinished(() => database.close());
    const { pair } = await setUp(makeAccess({ database: database.forTables<unknown>() }));
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const acknowledged: string[] = [];
    const others: unknown[] = [];
    let closing: Promise<void> | undefined;
    async function work(): Promise<void> {
      for (;;) {
        const isBefore = closing === undefined;
        const answer = await createTicket(url, pair.accessToken, agent).catch((error: unknown) => error);
        // Who comes once it has begun to end may find nobody; who came before is answered.
        if (!isBefore && isGone(answer)) return;
        if (!isCreated(answer)) return void others.push(answer);
        acknowledged.push(JSON.parse(answer.text).id);
        if (acknowledged.length === 50) closing = close();
      }
    }
    await Promise.all(Array.from({ length: 16 }, work));
    await closing;
    expect(others).toEqual([]);
    const kept = await database.read((db) => db.selectFrom("ticket").select("id").execute());
    expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    expect(acknowledged.length).toBeGreaterThanOrEqual(50);
  });
});

const isCreated = (answer: unknown): answer is Answer => (answer as Answer).status === 201;
const isGone = (answer: unknown) =>
  answer instanceof Error && ["ECONNREFUSED", "ECONNRESET"].includes(errorCode(answer) ?? "");

function createTicket(url: string, token: string, agent: Agent): Promise<Answer> {
  const body = JSON.stringify({ title: "Under load" });
  const headers = {
    "content-type": "application/json",
    "content-length": body.length,
    authorization: `Bearer ${token}`,
  };
  return exchange(httpRequest(`${url}/api/tickets`, { method: "POST", agent, headers }), body);
}
