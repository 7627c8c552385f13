import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../src/hosts/http/serve/listen.ts";
import { localPrincipal } from "../../src/kernel/principal.ts";
import { Feed } from "../../src/rooms/tickets/remote/feed.ts";
import { eventually } from "../harness/cli/processes.ts";
import { describeOnEngines } from "../harness/db/store.ts";
import { failureOf, serve } from "../harness/http/fetching.ts";
import { openServerWithPeople } from "../harness/http/team-server.ts";
import { by } from "../harness/rooms/tickets/tickets.ts";
import { Laptop } from "./laptop.ts";

const token = "given-token-0001";

/** A server of nothing but events, whose streams the test writes to and ends. */
async function openFeed() {
  const streams: ServerResponse[] = [];
  const resumed: unknown[] = [];
  const { url } = await serve((request, response) => {
    resumed.push(request.headers["last-event-id"]);
    streams.push(response.writeHead(200, { "content-type": "text/event-stream" }));
    response.write(": open\n\n");
  });
  const pauses: number[] = [];
  const feed = new Feed(new Laptop().server(`${url}/api`, { token }), async (ms) => void pauses.push(ms));
  const say = (id: number, entry: object) => streams.at(-1)?.write(`id: ${id}\ndata: ${JSON.stringify(entry)}\n\n`);
  return { feed, streams, resumed, pauses, say };
}

const change = (...about: string[]) => ({ effect: "set", outcome: "ok", about });

describe("the feed of a server", () => {
  it("tells of changes that were made, over one connection for all who listen", async () => {
    const { feed, streams, say } = await openFeed();
    const told: unknown[] = [];
    const stops = [feed.listen((about) => told.push(about)), feed.listen((about) => told.push(about))];
    await eventually("a connection", () => streams.length > 0);
    say(1, { ...change("ticket:T-001"), effect: "read" });
    say(2, { ...change("ticket:T-002"), outcome: "error" });
    streams[0]?.write("data: no JSON\n\n");
    say(3, change("ticket:T-003"));
    await eventually("two to be told", () => told.length === 2);
    expect([told, streams.length]).toEqual([[["ticket:T-003"], ["ticket:T-003"]], 1]);
    stops[0]?.();
    expect(streams[0]?.destroyed).toBe(false);
    stops[1]?.();
    await eventually("the connection to end", () => streams[0]?.destroyed === true);
  });

  it("goes on from the last event after a break, however often, and has all look again once", async () => {
    const { feed, streams, resumed, say } = await openFeed();
    const told: unknown[] = [];
    const stop = feed.listen((about) => told.push(about));
    for (const round of [1, 2, 3]) {
      await eventually("a connection", () => streams.length === round);
      say(round, change(`ticket:T-00${round}`));
      await eventually("the event", () => told.some((about) => String(about) === `ticket:T-00${round}`));
      if (round === 2) streams.at(-1)?.destroy();
      else streams.at(-1)?.end();
    }
    await eventually("a fourth connection", () => streams.length === 4);
    stop();
    expect(resumed).toEqual([undefined, "1", "2", "3"]);
    const again = "unknown";
    expect(told.slice(0, 5)).toEqual([["ticket:T-001"], again, ["ticket:T-002"], again, ["ticket:T-003"]]);
  });

  it("has all look where it does not know what was missed", async () => {
    const { feed, streams } = await openFeed();
    const told: unknown[] = [];
    const stop = feed.listen((about) => told.push(about));
    await eventually("a connection", () => streams.length === 1);
    streams[0]?.end();
    await eventually("somebody to be told", () => told.length > 0);
    stop();
    expect(told[0]).toBe("unknown");
  });

  it("waits longer and longer for a server that is away", async () => {
    const pauses: number[] = [];
    const feed = new Feed(new Laptop().server("http://127.0.0.1:1/api", { token }), async (ms) => void pauses.push(ms));
    const stop = feed.listen(() => undefined);
    await eventually("seven pauses", () => pauses.length >= 7);
    stop();
    expect(pauses.slice(0, 7)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });
});

describeOnEngines("a ticket that a program holds on a team's server", (engine) => {
  it("is changed by whoever that program serves, and by nobody else until it ends", async () => {
    const { app, ada, end } = await openServerWithPeople(await engine.fresh());
    const listening = await listen(app, { host: "127.0.0.1", port: 0 }, false);
    onTestFinished(async () => {
      end();
      await listening.close();
    });
    const api = `${listening.url}/api`;
    const { accessToken } = ada.pair;
    const [near, far] = [new Laptop(), new Laptop()].map((laptop) =>
      laptop.tickets(laptop.server(api, { token: accessToken })),
    );
    if (!near || !far) throw new Error("two laptops are needed");
    await near.create(by(), { title: "Held" });
    await near.hold("t-1", { ...localPrincipal("ada", "forge"), atKeyboard: true });
    const assistant = () => by(localPrincipal("ada", "claude-code", "aaaaaaaa-1111"));
    await near.update(assistant(), "T-001", { title: "Changed" });
    expect(await failureOf(far.update(assistant(), "T-001", { title: "Not theirs" }))).toMatchObject({
      code: "CONFLICT_ERROR",
      details: { holder: expect.stringMatching(/^Ada\/forge-execute#/) },
    });
    expect((await near.history("T-001")).at(-1)).toMatchObject({ kind: "updated", agent: "claude-code" });
    await near.stop();
    expect(await far.update(assistant(), "T-001", { title: "Free" })).toMatchObject({ title: "Free" });
  });
});
