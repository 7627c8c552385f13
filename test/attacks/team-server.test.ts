import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import type { LedgerTables } from "../../src/commons/ledger/schema.ts";
import { listen } from "../../src/hosts/http/serve/listen.ts";
import { projectContractTypes } from "../../src/rooms/governance/model/contract-names.ts";
import type { RegistryTables } from "../../src/rooms/registry/server/schema.ts";
import { describeWithPostgres, temporaryFolder } from "../harness/db/store.ts";
import { openServerWithPeople, openTestServer, serverOpener } from "../harness/http/team-server.ts";
import { home } from "../harness/rooms/access.ts";

const folder = temporaryFolder();
const openServer = serverOpener();

test("K05 what another team does on the server removes nothing from a team's ledger", async () => {
  const place = { file: `${folder()}/forge.db` };
  const { request, token, database } = await openServerWithPeople(place);
  await request("POST", "/api/tickets", { token, body: { title: "A ticket" } });
  const ofOthers = {
    ...{ seq: 500_000, id: "other", at: Date.now(), kind: "route", name: "x", effect: "read", principal: "eve" },
    ...{ about: '["team:other"]', evidence: "[]", outcome: "ok", duration_ms: 0, written_at: Date.now() },
  };
  const tables = database.forTables<LedgerTables>();
  await tables.transaction((tx) => tx.insertInto("ledger_entry").values(ofOthers).execute());
  // A server looks for entries that are too many when it first uses its ledger, and does so before it stops.
  const later = await openTestServer(place);
  await later.request("GET", "/api/tickets", { token });
  await later.request("GET", "/api/activity", { token });
  await later.stop();
  const { entries } = (await (await request("GET", "/api/activity", { token })).json()) as { entries: object[] };
  expect(entries).toContainEqual(expect.objectContaining({ name: "POST /api/tickets" }));
});

/** A server with tickets that a member imported. */
async function openWith(...tickets: object[]) {
  const server = await openServer();
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await server.request(method, path, { token: server.token, body });
    return { status: response.status, body: await response.json() };
  };
  for (let at = 0; at < tickets.length; at += 100)
    expect(await ask("POST", "/api/tickets/import", { tickets: tickets.slice(at, at + 100) })).toMatchObject({
      status: 200,
    });
  return { ...server, ask };
}

/** A list as a text of JSON, which has more elements than a list itself may have in a request. */
const longList = `[${Array.from({ length: 100_000 }, (_, index) => index).join()}]`;

test.each([
  ["a list", Array.from({ length: 9_000 }, (_, index) => `T-${index + 100}`)],
  ["a text", longList],
])("B12 a ticket that waits for thousands of others (%s) makes no list long", async (_what, dependsOn) => {
  const { ask } = await openWith({ id: "T-001", title: "Long", status: "READY", dependsOn });
  for (const path of ["/api/tickets", "/api/tickets/next", "/api/tickets/summaries?ids=T-001"])
    expect(JSON.stringify(await ask("GET", path)).length, path).toBeLessThan(10_000);
});

test("B12 others are answered while what can be started next is looked for", async () => {
  const waiting = Array.from({ length: 900 }, (_, index) => ({ id: `W-${index}`, dependsOn: ["T-001"] }));
  const all = [{ id: "T-001", assignedTo: "Ada" }, ...waiting];
  const { ask } = await openWith(...all.map((one) => ({ title: "Work", status: "READY", ...one })));
  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  expect(await ask("GET", "/api/tickets/next")).toMatchObject({ status: 200, body: { tickets: [] } });
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(4);
});

test("B12 others are answered while tickets with a label are looked for", async () => {
  const all = Array.from({ length: 900 }, (_, index) => ({
    id: `L-${index}`,
    title: "Work",
    labels: [`of-${index % 3}`],
  }));
  const { ask } = await openWith(...all);
  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  expect(await ask("GET", "/api/tickets?label=none")).toMatchObject({ status: 200, body: { tickets: [] } });
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(5);
  const ids: string[] = [];
  for (let cursor: string | null | undefined = ""; cursor !== undefined && cursor !== null; ) {
    const page = await ask("GET", `/api/tickets?label=of-1&limit=77${cursor && `&cursor=${cursor}`}`);
    const body = page.body as { tickets: { id: string }[]; nextCursor?: string | null };
    ids.push(...body.tickets.map(({ id }) => id));
    cursor = body.nextCursor;
  }
  expect(ids).toEqual(
    all
      .filter(({ labels }) => labels[0] === "of-1")
      .map(({ id }) => id)
      .reverse(),
  );
});

/** Counts the turns of the event loop, in which others are answered, while something is done. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  await work();
  clearImmediate(timer);
  return turns;
}

test("B12 others are answered while a long page of tickets is read, which is complete", async () => {
  const ids = Array.from({ length: 300 }, (_, index) => `P-${index}`);
  const { ask } = await openWith(...ids.map((id) => ({ id, title: "Work" })));
  const shown = async (path: string) => {
    const { body } = await ask("GET", path);
    const { tickets, nextCursor } = body as { tickets: { id: string }[]; nextCursor?: string };
    return { ids: tickets.map(({ id }) => id), nextCursor };
  };
  const one = await countTurns(() => shown("/api/tickets?limit=50"));
  let first: Awaited<ReturnType<typeof shown>> | undefined;
  const turns = await countTurns(async () => {
    first = await shown("/api/tickets?limit=200");
  });
  expect(turns - one).toBeGreaterThanOrEqual(3);
  const rest = await shown(`/api/tickets?limit=200&cursor=${first?.nextCursor}`);
  expect([...(first?.ids ?? []), ...rest.ids]).toEqual(ids.toReversed());
  expect(rest.nextCursor).toBeUndefined();
});

test("B12 the long texts of tickets are not read to suggest some, or to name one like a mistyped id", async () => {
  const { ask, database } = await openWith(
    ...Array.from({ length: 100 }, (_, index) => ({ id: `P-${index}`, title: "Work", labels: ["one"] })),
  );
  await database.forTables<unknown>().transaction(async (tx) => {
    await sql`update ticket set document = json_set(document, '$.note', hex(zeroblob(500000)))`.execute(tx);
  });
  const cpuMs = async (path: string) => {
    const start = process.cpuUsage();
    for (let count = 0; count < 10; count++) await ask("GET", path);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
  expect(await ask("GET", "/api/tickets/suggest?typed=P-&limit=1")).toMatchObject({
    body: { tickets: [{ id: "P-99" }] },
  });
  expect(await ask("GET", "/api/tickets/P-100")).toMatchObject({ status: 404 });
  // With the texts, each is above 200.
  expect(await cpuMs("/api/tickets/suggest?typed=P-&limit=1")).toBeLessThan(100);
  expect(await cpuMs("/api/tickets/P-100")).toBeLessThan(100);
});

test("B12 others are answered while the versions of a contract are listed", async () => {
  const { ask } = await openWith();
  const path = "/api/governance/projects/shop/contracts/stack";
  await ask("POST", "/api/governance/projects", { name: "Shop", id: "shop" });
  const list = async () => (await ask("GET", path)).body as { versions: { version: number }[] };
  const save = (content: string) => ask("POST", path, { content });
  await save("0");
  const one = await countTurns(list);
  for (let version = 1; version < 70; version++) await save(String(version));
  expect((await countTurns(list)) - one).toBeGreaterThanOrEqual(3);
  expect((await list()).versions.map(({ version }) => version)).toEqual(
    Array.from({ length: 70 }, (_, index) => 70 - index),
  );
});

test("B12 others are answered while the versions of a package are described", async () => {
  const { ask, database } = await openWith();
  const plain = { kind: "plugin", plugin: null, description: null, author: null, latest: "1.0.0", tags: "[]" };
  const needed = Object.fromEntries(Array.from({ length: 999 }, (_, index) => [`@acme/p${index}`, "1"]));
  await database.forTables<RegistryTables>().transaction(async (tx) => {
    const row = { ...plain, seq: 1, name: "@acme/big", downloads: 1, serial: 1, updated_at: 1 };
    await tx.insertInto("registry_package").values(row).execute();
    const document = JSON.stringify({ name: "@acme/big", dependencies: needed });
    const version = { package: 1, document, integrity: "sha512-x", blob: null, size: 1, signature: null };
    for (let patch = 0; patch < 100; patch++)
      await tx
        .insertInto("registry_version")
        .values({ ...version, version: `1.0.${patch}`, published_at: 1, published_by: "Ada", yanked: null })
        .execute();
  });
  let found: Awaited<ReturnType<typeof ask>> | undefined;
  const turns = await countTurns(async () => {
    found = await ask("GET", "/api/v1/plugins/@acme%2Fbig/metadata");
  });
  expect(turns).toBeGreaterThanOrEqual(5);
  const { versions = [] } = (found?.body ?? {}) as { versions?: object[] };
  expect(versions).toHaveLength(100);
  expect(versions[0]).toMatchObject({ version: "1.0.99", dependencies: needed });
});

test("A10 a text that is a list of too many criteria is one criterion, and its proof is shown", async () => {
  const { ask } = await openWith({ id: "T-001", title: "Long", status: "READY", acceptanceCriteria: longList });
  expect(await ask("GET", "/api/tickets/T-001/proof")).toMatchObject({
    status: 200,
    body: { criteria: [{ id: "AC-1" }] },
  });
  expect(JSON.stringify(await ask("GET", "/api/tickets/T-001")).length).toBeLessThan(2 * longList.length);
});

/** So much text that looks suspicious that showing the ticket takes many times as long as any other request. */
const slow = "ghp_x sk-a authorization: basic x key= sig= bearer x secret_key=a Private-Lines: 1 "
  .repeat(3_000)
  .slice(0, 250_000);
const slowTicket = { title: "Long", description: slow, problemStatement: slow, solution: slow };

test("B12 others are answered before all the slow requests of one member are", async () => {
  const { request, token, viewerToken } = await openWith(slowTicket);
  let answered = 0;
  const all = Array.from({ length: 40 }, async () => {
    // As they come over many connections.
    await nextTurn();
    await request("GET", "/api/tickets/T-001/view", { token });
    answered++;
  });
  await nextTurn();
  expect((await request("GET", "/api/me", { token: viewerToken })).status).toBe(200);
  expect(answered).toBeLessThan(20);
  await Promise.all(all);
  expect(answered).toBe(40);
});

test("B12 others are answered while a member exports a large ticket many times, however the requests arrive", async () => {
  const { request, token, viewerToken } = await openWith(slowTicket);
  let answered = 0;
  const all = Array.from({ length: 40 }, async () => {
    expect((await request("GET", "/api/tickets/T-001/export/xml", { token })).status).toBe(200);
    answered++;
  });
  await nextTurn();
  expect((await request("GET", "/api/me", { token: viewerToken })).status).toBe(200);
  expect(answered).toBeLessThan(10);
  await Promise.all(all);
});

test("K a request that waited for its turn is not answered if its token was ended meanwhile", async () => {
  const { request, token, access } = await openWith(slowTicket);
  const statuses: number[] = [];
  const all = Array.from({ length: 40 }, async () => {
    await nextTurn();
    statuses.push((await request("GET", "/api/tickets/T-001/view", { token })).status);
  });
  await nextTurn();
  await access.tokens.end(token, home);
  await Promise.all(all);
  expect(new Set(statuses)).toEqual(new Set([200, 401]));
});

test("B12 a search does not go through millions of words that somebody wrote", async () => {
  const words = Array.from({ length: 120_000 }, (_, index) => `a${index.toString(36).padStart(4, "0")}`);
  const part = (at: number) => ({ title: "Words", description: words.slice(at * 20_000, (at + 1) * 20_000).join(" ") });
  const { ask } = await openWith(...[0, 1, 2, 3, 4, 5].map(part), { title: "The letter a" });
  const found = async (text: string) => (await ask("GET", `/api/tickets?text=${text}`)).body as { tickets: object[] };
  // Too much begins with it: it is found as a word.
  expect((await found("a")).tickets).toMatchObject([{ title: "The letter a" }]);
  expect((await found("a000")).tickets).toMatchObject([{ title: "Words" }]);
});

test("B12 a search by tags takes no longer where others have tags that nearly fit", async () => {
  const { ask, database } = await openWith({ title: "Small" });
  const tags = JSON.stringify(["XX", ...Array<string>(99).fill('"'.repeat(100))]);
  const plain = { kind: "plugin", plugin: null, description: null, author: null, latest: "1.0.0", tags };
  await database.forTables<RegistryTables>().transaction(async (tx) => {
    for (let seq = 1; seq <= 1_000; seq++) {
      const row = { ...plain, seq, name: `@acme/p${seq}`, downloads: 1, serial: 1, updated_at: 1 };
      await tx.insertInto("registry_package").values(row).execute();
      await sql`insert into registry_search (rowid, words) values (${seq}, 'xx')`.execute(tx);
    }
  });
  const search = async (wanted: readonly string[]) => {
    const { body } = await ask("GET", `/api/v1/search?q=xx&tags=${encodeURIComponent(wanted.join())}`);
    return (body as { total: number }).total;
  };
  const start = process.cpuUsage();
  expect(await search(Array<string>(19).fill(`${'"'.repeat(24)}z`))).toBe(0);
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(3_000);
  expect(await search(["none", "xx"])).toBe(1_000);
});

test("K19 who asks for large answers and reads none gets no more of them, and others are answered", async () => {
  const { ask, app, token, viewerToken } = await openWith({ id: "T-001", title: "Small" });
  const project = "/api/governance/projects/large";
  await ask("POST", "/api/governance/projects", { name: "Large", id: "large" });
  for (const type of projectContractTypes)
    await ask("POST", `${project}/contracts/${type}`, { content: "x".repeat(1_000_000) });
  const build = (await ask("POST", `${project}/builds`)).body as { build_id: string };
  const listening = await listen(app, { host: "127.0.0.1", port: 0 }, false);
  onTestFinished(() => listening.close());
  let answered = 0;
  const silent = Array.from({ length: 8 }, () => {
    const socket = connect(listening.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.once("data", () => {
      answered++;
      socket.pause();
    });
    const path = `/api/mcp/build/${build.build_id}/contracts`;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    return socket;
  });
  onTestFinished(() => silent.forEach((socket) => void socket.destroy()));
  const me = (bearer: string, timeoutMs: number) =>
    fetch(`${listening.url}/api/me`, {
      headers: { authorization: `Bearer ${bearer}` },
      signal: AbortSignal.timeout(timeoutMs),
    }).then(
      ({ status }) => status,
      () => "waits",
    );
  await vi.waitFor(() => expect(answered).toBe(4), { timeout: 20_000, interval: 20 });
  expect(await me(token, 3_000)).toBe("waits");
  expect(answered).toBeLessThan(8);
  expect(await me(viewerToken, 10_000)).toBe(200);
  for (const socket of silent) socket.destroy();
  expect(await me(token, 10_000)).toBe(200);
}, 30_000);

describeWithPostgres("A team's server", (engine) => {
  test("B12 slow reads of one member leave others connections to the database", async () => {
    const { request, token, viewerToken, database } = await openServerWithPeople(await engine.fresh());
    const isLocked = new EventEmitter();
    // As slow as a search can be: none ends before this does.
    const holding = database.transaction(async (tx) => {
      await sql`lock table registry_package in access exclusive mode`.execute(tx);
      const ended = once(isLocked, "end");
      isLocked.emit("begin");
      await ended;
    });
    onTestFinished(() => void isLocked.emit("end"));
    await once(isLocked, "begin");
    const searches = Array.from({ length: 20 }, () => request("GET", "/api/v1/search", { token: viewerToken }));
    expect((await request("GET", "/api/tickets", { token })).status).toBe(200);
    isLocked.emit("end");
    await holding;
    expect(new Set((await Promise.all(searches)).map(({ status }) => status))).toEqual(new Set([200]));
  });
});
