import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../src/hosts/http/serve/listen.ts";
import { statuses } from "../../src/rooms/tickets/model/status.ts";
import { toContext } from "../../src/rooms/tickets/reading/context.ts";
import type { RemoteTickets } from "../../src/rooms/tickets/remote/remote-tickets.ts";
import { resources } from "../../src/rooms/tickets/resources/resources.ts";
import { ActiveTickets } from "../../src/rooms/tickets/service/active-tickets.ts";
import { describeOnEngines } from "../harness/db/store.ts";
import { ChaosProxy } from "../harness/faults/chaos-proxy.ts";
import { failureOf } from "../harness/http/fetching.ts";
import { openServerWithPeople } from "../harness/http/team-server.ts";
import { by, callOf } from "../harness/rooms/tickets/tickets.ts";
import { startAecServer } from "./aec-server.ts";
import { Laptop } from "./laptop.ts";

describe("a question that a server was not asked before it was lost", () => {
  async function openThenLose(ask: (tickets: RemoteTickets) => Promise<unknown>) {
    const { api, add, stop } = await startAecServer();
    const laptop = new Laptop();
    await laptop.signIn(api);
    const first = { title: "Slow search", description: "Quadratic", assignedTo: "u2" };
    const ids = [add(first), add({ status: "approved" }), add({ title: "Slow login" })];
    const tickets = laptop.tickets(laptop.server(api));
    await ask(tickets);
    await tickets.stop();
    await stop();
    const lost = laptop.tickets(laptop.server(api));
    const listed = async (filter: Parameters<RemoteTickets["list"]>[0]) => {
      const { tickets: found, stale, ...page } = await lost.list(filter);
      expect(stale).toMatch(/^\d{4}-.+Z$/);
      return { ids: found.map(({ id }) => ids.indexOf(id)), ...page };
    };
    return { ids, tickets: lost, listed };
  }

  it("is answered out of a list that has it all, narrower and page by page", async () => {
    const { listed } = await openThenLose((tickets) => tickets.list({ limit: 10 }));
    expect(await listed({})).toEqual({ ids: [2, 1, 0] });
    expect(await listed({ status: ["READY"] })).toEqual({ ids: [1] });
    expect(await listed({ assignee: "Bob" })).toEqual({ ids: [0] });
    expect(await listed({ type: "bug" })).toEqual({ ids: [] });
    const { nextCursor, ...page } = await listed({ limit: 2 });
    expect(page).toEqual({ ids: [2, 1] });
    expect(await listed({ limit: 2, cursor: nextCursor })).toEqual({ ids: [0] });
  });

  it("says that it may be incomplete where not all was listed, or words may stand where no list shows them", async () => {
    const { listed } = await openThenLose((tickets) => tickets.list({ limit: 2 }));
    expect(await listed({ limit: 1 })).toMatchObject({ ids: [2], nextCursor: expect.any(String) });
    expect(await listed({ limit: 1 })).not.toHaveProperty("incomplete");
    expect(await listed({})).toEqual({ ids: [2, 1], incomplete: true });
    expect(await listed({ text: "slow" })).toEqual({ ids: [2], incomplete: true });
    expect(await listed({ status: [...statuses] })).toEqual({ ids: [2, 1], incomplete: true });
  });

  it("is found by the words of a ticket that was read, and by those it was found by before", async () => {
    const { listed } = await openThenLose(async (tickets) => {
      const page = await tickets.list({ text: "quadratic slow", limit: 5 });
      await tickets.get(page.tickets[0]?.id ?? "");
    });
    expect(await listed({ text: "quadratic slow", limit: 1 })).toEqual({ ids: [0] });
    expect(await listed({ text: "quadratic" })).toEqual({ ids: [0], incomplete: true });
  });

  it("is not answered with what a later list no longer has", async () => {
    const { api, add, tickets: stored, stop } = await startAecServer();
    const laptop = new Laptop();
    await laptop.signIn(api);
    const [moved] = [add(), add()];
    const tickets = laptop.tickets(laptop.server(api));
    await tickets.list({ status: ["DRAFT", "READY"] });
    const ticket = stored.get(moved);
    if (ticket) stored.set(moved, { ...ticket, status: "approved" });
    await tickets.list({ status: ["DRAFT"] });
    await stop();
    const { tickets: drafts } = await tickets.list({ status: ["DRAFT"], limit: 7 });
    expect(drafts.map(({ id }) => id)).not.toContain(moved);
  });

  it("is a ticket by its other name, or as a list showed it: to be looked at, and for nothing that needs the whole", async () => {
    const { ids, tickets } = await openThenLose(async (tickets) => {
      await tickets.list({});
      await tickets.get("acme-1");
    });
    expect(await tickets.get(ids[0] ?? "")).toMatchObject({ description: "Quadratic", stale: expect.any(String) });
    const listed = await tickets.get("ACME-2", { partly: true });
    expect(listed).toMatchObject({ id: ids[1], status: "READY", incomplete: true, stale: expect.any(String) });
    expect(toContext(listed).warnings).toEqual([
      expect.any(String),
      expect.stringContaining("missing here, not empty"),
    ]);
    expect(await failureOf(tickets.get("acme-2"))).toMatchObject({ code: "NETWORK_ERROR" });
  });

  it("goes on from its first page only as long as the server is away", async () => {
    const { api, add } = await startAecServer();
    const laptop = new Laptop();
    await laptop.signIn(api);
    add();
    const error = await failureOf(laptop.tickets(laptop.server(api)).list({ cursor: "offline-1" }));
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", next: [expect.stringContaining("first page")] });
  });
});

describeOnEngines("a team's server that is lost", (engine) => {
  it("what was listed before it was lost answers narrower questions, and tells tickets that nobody read", async () => {
    const { app, ada, end } = await openServerWithPeople(await engine.fresh());
    const listening = await listen(app, { host: "127.0.0.1", port: 0 }, false);
    onTestFinished(async () => {
      end();
      await listening.close();
    });
    const proxy = await ChaosProxy.start({}, listening.url);
    const laptop = new Laptop();
    const { accessToken: token } = ada.pair;
    const direct = laptop.tickets(laptop.server(`${listening.url}/api`, { token }));
    const tickets = laptop.tickets(laptop.server(`${proxy.url}/api`, { token }));
    for (const title of ["Slow search", "Slow login", "Add logout"]) await direct.create(by(), { title });
    await tickets.list({ limit: 2 });
    await tickets.history("T-002");
    await proxy.stop();
    const stale = expect.any(String);
    const first = await tickets.list({ limit: 1 });
    expect(first).toMatchObject({ tickets: [{ id: "T-003" }], stale, nextCursor: stale });
    expect(first).not.toHaveProperty("incomplete");
    expect(await tickets.list({ text: "slow" })).toMatchObject({ tickets: [{ id: "T-002" }], stale, incomplete: true });
    expect(await tickets.get("t-2", { partly: true })).toMatchObject({ title: "Slow login", stale, incomplete: true });
    expect(await failureOf(tickets.get("T-002"))).toMatchObject({ code: "NETWORK_ERROR" });
    expect(await failureOf(tickets.get("T-001", { partly: true }))).toMatchObject({ code: "NETWORK_ERROR" });
    expect(await tickets.history("T-002")).toHaveLength(1);
    const services = {
      tickets,
      active: new ActiveTickets(),
      guard: { hasReadHere: async () => false, hasReadUntrusted: async () => false },
    };
    const read = async (uri: string, variables: Record<string, string>) => {
      const resource = resources.find((known) => known.uri === uri);
      const content = await resource?.read(services, variables, callOf(by()));
      return JSON.parse(content && "text" in content ? content.text : "{}");
    };
    expect(await read("forge://tickets", {})).toMatchObject({ tickets: { length: 2 }, stale, incomplete: true });
    expect(await read("forge://tickets/{id}", { id: "T-003" })).toMatchObject({ id: "T-003", stale });
    expect(await read("forge://tickets/{id}", { id: "T-003" })).not.toHaveProperty("history");
  });
});
