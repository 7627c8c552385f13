import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { Copies } from "../../src/commons/remote/offline/copies.ts";
import { listen } from "../../src/hosts/http/serve/listen.ts";
import { toContext } from "../../src/rooms/tickets/reading/context.ts";
import { RemoteTickets } from "../../src/rooms/tickets/remote/remote-tickets.ts";
import { CliProject } from "../harness/cli/cli.ts";
import { eventually } from "../harness/cli/processes.ts";
import { describeOnEngines, temporaryFolder } from "../harness/db/store.ts";
import { ChaosProxy, type Fault, httpAnswer } from "../harness/faults/chaos-proxy.ts";
import { failureOf } from "../harness/http/fetching.ts";
import { openServerWithPeople } from "../harness/http/team-server.ts";
import { by } from "../harness/rooms/tickets/tickets.ts";
import { startAecServer } from "./aec-server.ts";
import { Laptop } from "./laptop.ts";

describe("a server that is away", () => {
  async function openThenLose() {
    const { api, add, stop } = await startAecServer();
    const laptop = new Laptop();
    await laptop.signIn(api);
    const id = add({ title: "Known" });
    const tickets = laptop.tickets(laptop.server(api));
    await tickets.get(id);
    await tickets.list({ status: ["DRAFT"] });
    await stop();
    return { api, laptop, id, tickets };
  }

  it("answers from the last copy, which says since when it is old, in this program and in the next", async () => {
    const { api, laptop, id, tickets } = await openThenLose();
    for (const program of [tickets, laptop.tickets(laptop.server(api))]) {
      const ticket = await program.get(id);
      expect(ticket).toMatchObject({ id, title: "Known", stale: expect.stringMatching(/^\d{4}-.+Z$/) });
      expect(toContext(ticket)).toMatchObject({
        stale: ticket.stale,
        warnings: [expect.stringContaining("The server cannot be reached.")],
      });
      expect(await program.list({ status: ["DRAFT"] })).toMatchObject({ tickets: [{ id }], stale: expect.any(String) });
    }
  });

  it("is said to be away by the commands that show the copy", async () => {
    const { api, add, stop } = await startAecServer();
    const id = add({ title: "Known" });
    const cli = new CliProject();
    const env = { FORGE_API_URL: api, FORGE_TOKEN: "given-token-0001" };
    for (const line of [`show ${id}`, "list"]) await cli.do(line, { env });
    await stop();
    const words = "The server cannot be reached. This is the last known copy, as of ";
    for (const line of [`show ${id}`, `questions ${id}`, `status ${id}`])
      expect(await cli.do(line, { env })).toContain(words);
    for (const line of [`export ${id}`, "list"]) expect((await cli.run(line, { env })).err).toContain(words);
  });

  it("says so where nothing is known", async () => {
    const { tickets } = await openThenLose();
    expect(await failureOf(tickets.get("acme-2"))).toMatchObject({ code: "NETWORK_ERROR" });
    expect(await failureOf(tickets.list({ status: ["READY"] }))).toMatchObject({ code: "NETWORK_ERROR" });
  });

  it("takes no changes, and nothing is queued", async () => {
    const { tickets, id } = await openThenLose();
    const changes = [
      () => tickets.update(by(), id, { title: "New" }),
      () => tickets.move(by(), id, "READY"),
      () => tickets.create(by(), { title: "New" }),
      () => tickets.addQuestions(by(), id, [{ question: "Why?" }]),
    ];
    for (const change of changes) {
      const error = await failureOf(change());
      expect(error).toMatchObject({ code: "NETWORK_ERROR", details: { outcome: "unchanged" } });
      expect(error.message).toContain("Nothing was changed and nothing is queued.");
    }
  });

  it("shows a copy only to who read it, and nothing after signing out", async () => {
    const { api, laptop, id } = await openThenLose();
    await laptop.signIn(api, { userId: "somebody-else" });
    expect(await failureOf(laptop.tickets(laptop.server(api)).get(id))).toMatchObject({ code: "NETWORK_ERROR" });
    await laptop.signIn(api, { teamId: "another-team" });
    expect(await failureOf(laptop.tickets(laptop.server(api)).get(id))).toMatchObject({ code: "NETWORK_ERROR" });
    await laptop.signIn(api);
    await laptop.copies.forgetAll();
    expect(await failureOf(laptop.tickets(laptop.server(api)).get(id))).toMatchObject({ code: "NETWORK_ERROR" });
  });

  it.each([
    ["502", { answer: httpAnswer(502, {}, "<html>") }, true],
    ["a reset", { answer: httpAnswer(200), resetAt: 0 }, true],
    ["500", { answer: httpAnswer(500) }, false],
    ["a web page", { answer: httpAnswer(200, { "content-type": "text/html" }, "<html>") }, false],
    ["401", { answer: httpAnswer(401) }, false],
  ] as [string, Fault, boolean][])("is one behind %s: %#", async (_name, fault, isAway) => {
    const { api, add } = await startAecServer();
    const proxy = await ChaosProxy.start([{}, {}, fault], api);
    const laptop = new Laptop();
    const id = add();
    const tickets = laptop.tickets(laptop.server(`${proxy.url}/api`, { token: "given-token-0001" }));
    expect(await tickets.get(id)).not.toHaveProperty("stale");
    const again = tickets.get(id);
    if (isAway) expect(await again).toHaveProperty("stale");
    else await failureOf(again);
  });

  it("is asked again when it is back", async () => {
    const { api, add } = await startAecServer();
    const proxy = await ChaosProxy.start([{ answer: "", resetAt: 0 }, { answer: "", resetAt: 0 }, {}], api);
    const laptop = new Laptop();
    const id = add();
    const tickets = laptop.tickets(laptop.server(`${proxy.url}/api`, { token: "given-token-0001" }));
    await failureOf(tickets.get(id));
    expect(await tickets.get(id)).toMatchObject({ id });
  });
});

it("is watched as soon as it is back", async () => {
  const { api, add, tickets } = await startAecServer();
  const id = add();
  const proxy = await ChaosProxy.start([{ answer: "", resetAt: 0 }, { answer: "", resetAt: 0 }, {}], api);
  const laptop = new Laptop();
  const server = laptop.server(`${proxy.url}/api`, { token: "given-token-0001" });
  const remote = new RemoteTickets({ server, copies: laptop.copies, pause: () => nextTurn() });
  onTestFinished(() => remote.stop());
  let told = 0;
  const stop = remote.watch(id, () => told++);
  await eventually("a change to be told", () => {
    const ticket = tickets.get(id);
    if (ticket) tickets.set(id, { ...ticket, updatedAt: new Date().toISOString() });
    return told > 0;
  });
  stop();
});

describe("copies", () => {
  const folder = temporaryFolder();

  it("are for their owner alone, and a broken one is none", async () => {
    const place = join(folder(), ".forge", "cache");
    const copies = new Copies(place);
    copies.keep("me", "ticket T-001", { id: "T-001" });
    expect(await copies.find("me", "ticket T-001")).toMatchObject({ value: { id: "T-001" } });
    expect(await copies.find("you", "ticket T-001")).toBeUndefined();
    const [file = ""] = readdirSync(place);
    expect([statSync(place).mode & 0o777, statSync(join(place, file)).mode & 0o777]).toEqual([0o700, 0o600]);
    writeFileSync(join(place, file), '{"name":');
    expect(await copies.find("me", "ticket T-001")).toBeUndefined();
    copies.forget("me", "ticket T-001");
    await copies.settle();
    expect(readdirSync(place)).toEqual([]);
  });

  it("stay within 50 MB, the oldest going first", async () => {
    const place = join(folder(), ".forge", "bounded");
    const text = "x".repeat(900_000);
    for (let turn = 0; turn < 2; turn++) {
      const copies = new Copies(place);
      for (let count = 0; count < 40; count++) copies.keep("me", `${turn} ${count}`, text);
      await copies.settle();
    }
    const copies = new Copies(place);
    copies.keep("me", "last", "small");
    await copies.settle();
    const bytes = readdirSync(place).reduce((sum, name) => sum + statSync(join(place, name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(50 * 1_048_576);
    expect(await copies.find("me", "0 0")).toBeUndefined();
    expect(await copies.find("me", "1 39")).toBeDefined();
    expect(await copies.find("me", "last")).toBeDefined();
  });

  it("that cannot be written are no error, nor is one too large", async () => {
    const place = join(folder(), "nowhere", "far", "below", "cache");
    const copies = new Copies(place);
    copies.keep("me", "a", 1);
    await copies.settle();
    expect(existsSync(place)).toBe(false);
    const locked = join(folder(), "locked");
    const small = new Copies(locked);
    small.keep("me", "a", "x".repeat(1_000_001));
    await small.settle();
    expect(await small.find("me", "a")).toBeUndefined();
    if (existsSync(locked)) chmodSync(locked, 0o700);
  });
});

describeOnEngines("K34 between a client and a team's server", (engine) => {
  async function openThrough(script: Fault[]) {
    const { app, ada, end } = await openServerWithPeople(await engine.fresh());
    const listening = await listen(app, { host: "127.0.0.1", port: 0 }, false);
    onTestFinished(async () => {
      end();
      await listening.close();
    });
    const proxy = await ChaosProxy.start(script, listening.url);
    const laptop = new Laptop();
    const { accessToken: token } = ada.pair;
    const direct = laptop.tickets(laptop.server(`${listening.url}/api`, { token }));
    const server = laptop.server(`${proxy.url}/api`, { token, limits: { headersMs: 2_000 } });
    const tickets = new RemoteTickets({ server, copies: laptop.copies });
    onTestFinished(() => tickets.stop());
    return { tickets, direct, proxy };
  }

  // The first request asks what kind of server it is.
  const lost: [string, Fault][] = [
    ["reset before the answer", { resetAt: 0 }],
    ["reset in the answer's head", { resetAt: 20 }],
    ["reset in mid-body", { resetAt: 900 }],
    ["truncated", { truncateAt: 900 }],
  ];

  it.each(lost)("a write whose answer is %s is made once, and its answer comes", async (_name, fault) => {
    const { tickets, direct } = await openThrough([{}, fault, {}]);
    const made = await tickets.create(by(), { title: "Only one", description: "x".repeat(2_000) });
    expect(made).toMatchObject({ id: "T-001", revision: 1 });
    expect((await direct.list({})).tickets).toHaveLength(1);
    expect(await direct.history("T-001")).toHaveLength(1);
  });

  it("every change of many comes once, whatever becomes of the answers", async () => {
    const faults = [
      {},
      { resetAt: 0 },
      {},
      { truncateAt: 300 },
      {},
      { answer: httpAnswer(502) },
      {},
      { resetAt: 700 },
      {},
    ];
    const script = Array.from({ length: 8 }, () => faults).flat();
    const { tickets, direct } = await openThrough(script);
    const made: string[] = [];
    for (let count = 0; count < 10; count++) made.push((await tickets.create(by(), { title: `Ticket ${count}` })).id);
    expect(new Set(made).size).toBe(10);
    const { tickets: listed } = await direct.list({});
    expect(listed.map(({ id, revision }) => [id, revision]).sort()).toEqual(made.sort().map((id) => [id, 1]));
  });
});
