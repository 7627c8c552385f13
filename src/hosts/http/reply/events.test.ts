import { once } from "node:events";
import { connect } from "node:net";
import { Hono } from "hono";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { callRecord } from "../../../../test/harness/cli/cli.ts";
import { temporaryFolder } from "../../../../test/harness/db/store.ts";
import { openServerWithPeople } from "../../../../test/harness/http/team-server.ts";
import { home } from "../../../../test/harness/rooms/access.ts";
import type { TeamAppOptions } from "../../../app/server/team-app.ts";
import { Broadcast, Ledger, TeamLedger } from "../../../commons/ledger/index.ts";
import { Redactor } from "../../../kernel/text/redactor.ts";
import { listen } from "../serve/listen.ts";
import { Events } from "./events.ts";
import { HttpError } from "./http-error.ts";

const folder = temporaryFolder();
let stores = 0;

type Event = { id: number; name: string; about: string[] };

async function open(options: Partial<TeamAppOptions> = {}) {
  const server = await openServerWithPeople({ file: `${folder()}/${++stores}/forge.db` }, options);
  const create = (title: string) => server.request("POST", "/api/tickets", { token: server.token, body: { title } });
  return { ...server, create };
}

/** The events of a stream, one after the other; `ended` resolves when there are no more. */
function read(response: Response) {
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream()).getReader();
  onTestFinished(() => reader.cancel().catch(() => undefined));
  let text = "";
  const others: string[] = [];
  async function next(): Promise<Event | undefined> {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end !== -1) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        const [, id, data] = /^id: (\d+)\nevent: activity\ndata: (.*)$/.exec(block) ?? [];
        if (id !== undefined && data !== undefined) return { ...JSON.parse(data), id: Number(id) };
        others.push(block);
        continue;
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  }
  return { next, others: () => others, cancel: () => reader.cancel() };
}

describe("the stream of a team's events", () => {
  test("tells of each change as it is made, with its number", async () => {
    const { request, token, create } = await open();
    const response = await request("GET", "/api/events", { token });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const { next } = read(response);
    await create("One");
    await create("Two");
    const [first, second] = [await next(), await next()];
    expect([first?.about[1], second?.about[1]]).toEqual(["ticket:T-001", "ticket:T-002"]);
    expect(second?.id).toBeGreaterThan(first?.id ?? 0);
  });

  test("takes up after Last-Event-ID, with nothing missed and nothing twice", async () => {
    const { request, token, create } = await open();
    const stream = read(await request("GET", "/api/events", { token, headers: { "last-event-id": "0" } }));
    for (let made = 1; made <= 5; made++) await create(`Ticket ${made}`);
    const first = await stream.next();
    await stream.cancel();
    for (let made = 6; made <= 150; made++) await create(`Ticket ${made}`);
    const headers = { "last-event-id": String(first?.id) };
    const rest = read(await request("GET", "/api/events", { token, headers }));
    const more = create("Ticket 151");
    const seen: string[] = [];
    while (seen.length < 150) seen.push((await rest.next())?.about[1] ?? "");
    await more;
    expect(seen).toEqual(Array.from({ length: 150 }, (_, index) => `ticket:T-${String(index + 2).padStart(3, "0")}`));
  });

  test("K21 has nothing of another team's, not even under this team's mark", async () => {
    const { request, token, create, database, ada } = await open();
    const { next } = read(await request("GET", "/api/events", { token, headers: { "last-event-id": "0" } }));
    const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined });
    onTestFinished(() => ledger.stop());
    const theirs = new TeamLedger(ledger, "team-other");
    await theirs.take([callRecord({ principal: "u-eve", outcome: "ok", about: [`team:${ada.by.team.id}`] })]);
    await create("Ours");
    expect(await next()).toMatchObject({ principal: ada.by.user.id });
  });

  test("K21 ends when the token is revoked", async () => {
    const { request, viewerToken, token, create } = await open({ eventTiming: { check: 20 } });
    const { next } = read(await request("GET", "/api/events", { token: viewerToken }));
    await create("One");
    expect(await next()).toBeDefined();
    await request("POST", "/api/auth/logout", { token: viewerToken });
    expect(await next()).toBeUndefined();
    expect((await request("GET", "/api/me", { token })).status).toBe(200);
  });

  test("K21 ends when the token has expired", async () => {
    const { request, viewerToken, create, clock, access, ada } = await open({ eventTiming: { check: 20 } });
    const other = await access.tokens.create(ada.by, { name: "CI", scopes: ["tickets:read"], days: 1 }, home);
    const { next } = read(await request("GET", "/api/events", { token: viewerToken }));
    await create("One");
    expect(await next()).toBeDefined();
    clock.pass(16 * 60);
    // Who a token speaks for is remembered for some seconds; this saves the test from waiting for them.
    await access.tokens.revoke(ada.by, other.id, home);
    expect(await next()).toBeUndefined();
  });

  test("K21 ends when the server does", async () => {
    const { request, token, end } = await open();
    const { next } = read(await request("GET", "/api/events", { token }));
    end();
    expect(await next()).toBeUndefined();
    expect((await request("GET", "/api/events", { token })).status).toBe(429);
  });

  test("K21 a client has 64 at most, and those that it closes count no more", async () => {
    const { request, token } = await open();
    const streams = [];
    for (let opened = 0; opened < 64; opened++) streams.push(read(await request("GET", "/api/events", { token })));
    expect((await request("GET", "/api/events", { token })).status).toBe(429);
    await streams[0]?.cancel();
    expect((await request("GET", "/api/events", { token })).status).toBe(200);
  });

  test("K21 a client has 64 at most when it opens them all at the same moment", async () => {
    const { request, token, create } = await open();
    await create("One");
    const opening = Array.from({ length: 100 }, () => request("GET", "/api/events?after=0", { token }));
    const responses = await Promise.all(opening);
    for (const response of responses) read(response);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(64);
  });

  test("K21 a client that does not read has few entries in memory", async () => {
    const { database, create } = await open();
    const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined });
    const broadcast = new Broadcast(ledger);
    onTestFinished(async () => {
      broadcast.stop();
      await ledger.stop();
    });
    for (let made = 1; made <= 25; made++) await create(`Ticket ${made}`);
    let given = 0;
    const latest = async (...asked: Parameters<Ledger["latest"]>) => {
      const entries = await ledger.latest(...asked);
      given += entries.length;
      return entries;
    };
    const principal = { kind: "user" as const, id: "u", name: "Slow", scopes: ["activity:read" as const] };
    const listener = async () => ({ principal, team: undefined, ledger: { latest }, stillAllowed: async () => true });
    const events = new Events({ broadcast, newest: () => ledger.newest(), redactor: new Redactor(), listener });
    onTestFinished(() => events.stop());
    const app = new Hono();
    events.serve(app);
    const { next } = read(await app.request("/api/events?after=0"));
    await vi.waitFor(() => expect(given).toBe(10));
    for (let heard = 1; heard <= 25; heard++)
      expect((await next())?.about).toContain(`ticket:T-0${`${heard}`.padStart(2, "0")}`);
  });

  test("K21 a thousand idle streams are the most there are, each hears of a change, and all are freed", async () => {
    const { database, token, request, create, ada } = await open();
    const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined, timing: { poll: 20 } });
    const broadcast = new Broadcast(ledger);
    onTestFinished(async () => {
      broadcast.stop();
      await ledger.stop();
    });
    const { id: team } = ada.by.team;
    let listeners = 0;
    const redactor = new Redactor();
    const redacted = vi.spyOn(redactor, "value");
    const events = new Events({
      broadcast,
      newest: () => ledger.newest(),
      redactor,
      listener: async () => ({
        principal: { kind: "user", id: `u-${listeners++}`, name: "One of many", scopes: ["activity:read"] },
        team,
        ledger: new TeamLedger(ledger, team),
        stillAllowed: async () => true,
      }),
    });
    const app = new Hono();
    events.serve(app);
    app.onError((error) => new Response(null, { status: error instanceof HttpError ? error.status : 500 }));
    const streams = [];
    for (let opened = 0; opened < 1_000; opened++) streams.push(read(await app.request("/api/events")));
    expect((await app.request("/api/events")).status).toBe(429);
    await create("One");
    const heard = await Promise.all(streams.map(({ next }) => next()));
    expect(heard.every((event) => event?.about.includes("ticket:T-001"))).toBe(true);
    expect(redacted).toHaveBeenCalledTimes(1);
    await Promise.all(streams.map(({ cancel }) => cancel()));
    expect((await app.request("/api/events")).status).toBe(200);
    events.stop();
    expect((await request("GET", "/api/me", { token })).status).toBe(200);
  });

  test("K21 a connection that is gone frees its stream within a second", async () => {
    const { app, request, token } = await open();
    const { url, close } = await listen(app, { host: "127.0.0.1", port: 0 }, false);
    onTestFinished(close);
    for (let opened = 0; opened < 64; opened++) {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(`GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
      const [head] = await once(socket, "data");
      expect(String(head)).toContain("200 OK");
      onTestFinished(() => void socket.destroy());
      socket.destroy();
    }
    await vi.waitFor(async () => expect((await request("GET", "/api/events", { token })).status).toBe(200), 1_000);
  });

  test("beats while nothing happens", async () => {
    const { request, token } = await open({ eventTiming: { heartbeat: 5 } });
    const response = await request("GET", "/api/events", { token });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes(": still here\n\n: still here\n\n")) text += (await reader?.read())?.value ?? "";
    await reader?.cancel();
  });

  test("begins with the next event, and tells to look again, where Last-Event-ID is of another past", async () => {
    const { request, token, create, database } = await open();
    await create("One");
    const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined });
    onTestFinished(() => ledger.stop());
    const newest = await ledger.newest();
    const headers = { "last-event-id": String(newest + 1_000) };
    const stream = read(await request("GET", "/api/events", { token, headers }));
    await create("Two");
    expect(await stream.next()).toMatchObject({ about: [expect.anything(), "ticket:T-002"] });
    expect(stream.others()).toEqual([": open", `id: ${newest}\nevent: reset\ndata: {}`]);
  });

  test("tells nobody to look again who goes on from the newest event", async () => {
    const { request, token, create } = await open();
    const first = read(await request("GET", "/api/events", { token }));
    await create("One");
    const headers = { "last-event-id": String((await first.next())?.id) };
    const stream = read(await request("GET", "/api/events", { token, headers }));
    await create("Two");
    expect(await stream.next()).toMatchObject({ about: [expect.anything(), "ticket:T-002"] });
    expect(stream.others()).toEqual([": open"]);
  });

  test.each(["x", "-1", "1.5", "9".repeat(16)])("Last-Event-ID %s is refused", async (id) => {
    const { request, token } = await open();
    expect((await request("GET", "/api/events", { token, headers: { "last-event-id": id } })).status).toBe(400);
  });

  test("K04 needs the scope that reading the activity needs", async () => {
    const { request, tokenWith } = await open();
    const response = await request("GET", "/api/events", { token: await tokenWith("tickets:read") });
    expect(response.status).toBe(403);
    expect(response.headers.get("www-authenticate")).toContain('scope="activity:read"');
  });
});
