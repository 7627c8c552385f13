import { expect, it, onTestFinished } from "vitest";
import { Ledger } from "../../src/commons/ledger/index.ts";
import { Outbox } from "../../src/commons/ledger/team/outbox.ts";
import { OutboxSender } from "../../src/commons/ledger/team/outbox-sender.ts";
import { path, type RemoteServer } from "../../src/commons/remote/index.ts";
import { listen } from "../../src/hosts/http/serve/listen.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import type { Place } from "../../src/platform/db/types.ts";
import { callRecord } from "../harness/cli/cli.ts";
import { migrations } from "../harness/db/all-migrations.ts";
import { describeOnEngines } from "../harness/db/store.ts";
import { openServerWithPeople } from "../harness/http/team-server.ts";
import { Laptop } from "./laptop.ts";

/** A process on a laptop that makes these calls and ends. */
async function work(place: Place, server: RemoteServer, ids: string[]): Promise<string[]> {
  const logged: string[] = [];
  const database = openDatabase<unknown>(place, migrations);
  const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined });
  const relay = new OutboxSender({
    ledger,
    outbox: new Outbox(database, "us"),
    send: (entries, signal) => server.request("POST", path`/activity`, { body: { entries }, signal, aside: true }),
    log: (level, message) => void logged.push(`${level}: ${message}`),
  });
  for (const id of ids) await relay.close(callRecord({ id, at: Date.now(), effect: "set" }));
  await relay.stop();
  await ledger.stop();
  await database.close();
  return logged;
}

const good = {
  id: "1",
  at: "2026-01-31T10:00:00.000Z",
  kind: "tool",
  name: "get_file_changes",
  effect: "read",
  about: [],
  outcome: "ok",
  durationMs: 1,
  evidence: [],
};

describeOnEngines("a team's ledger and its laptops", (engine) => {
  it("is told by the next process what was done while the server was away, once each", async () => {
    const { app, token, request, end } = await openServerWithPeople(await engine.fresh());
    const laptop = new Laptop();
    const place = { file: `${laptop.home}/.forge/forge.db` };
    const dead = laptop.server("http://127.0.0.1:1/api", { token });
    const [complaint, ...others] = await work(place, dead, ["a", "b"]);
    expect(complaint).toMatch(/^warning: .*could not be sent.*Cannot reach the Forge server at /);
    expect(complaint).not.toMatch(/nothing is queued|the change/i);
    expect(others).toEqual([]);
    const listening = await listen(app, { host: "127.0.0.1", port: 0 }, false);
    onTestFinished(async () => {
      end();
      await listening.close();
    });
    const alive = laptop.server(`${listening.url}/api`, { token });
    // One of them has an id that no server takes.
    expect(await work(place, alive, ["no id", "c"])).toEqual([expect.stringContaining("One entry")]);
    await Promise.all([work(place, alive, ["d"]), work(place, alive, ["e"])]);
    const { entries } = (await (await request("GET", "/api/activity", { token })).json()) as {
      entries: { id: string; kind: string }[];
    };
    const told = entries.filter(({ kind }) => kind === "tool").map(({ id }) => id.slice(id.lastIndexOf(":") + 1));
    expect(told.sort()).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("takes what a ledger has, and refuses the rest by saying so", async () => {
    const { token, request } = await openServerWithPeople(await engine.fresh());
    const send = async (changes: object) => {
      const body = { entries: [{ ...good, ...changes }] };
      return (await request("POST", "/api/activity", { token, body })).status;
    };
    expect(await send({})).toBe(200);
    const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const wrong = [
      ...["", "a\0b", "a b", "x".repeat(101)].map((id) => ({ id })),
      ...[-1, 0.5, 1e9 + 1, 1e300].map((durationMs) => ({ durationMs })),
      ...["2019-12-31T23:59:59.000Z", tomorrow, "soon"].map((at) => ({ at })),
      ...["route", "completion"].map((kind) => ({ kind })),
      { name: "a\0b" },
      { agent: "a\0b" },
      { code: "a\0b" },
      { about: ["a\0b"] },
      { evidence: ["a\0b"] },
      { outcome: "open" },
    ];
    for (const changes of wrong) expect([changes, await send(changes)]).toEqual([changes, 400]);
  });

  it("answers with as many of the newest entries as fit into one answer", async () => {
    const { token, request } = await openServerWithPeople(await engine.fresh());
    const long = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(300, "x"));
    for (let part = 0; part < 3; part++) {
      const entries = Array.from({ length: 16 }, (_, index) => ({
        ...good,
        id: `${part * 16 + index}`,
        at: new Date(Date.now() + part * 16 + index).toISOString(),
        about: long,
        evidence: long,
      }));
      expect((await request("POST", "/api/activity", { token, body: { entries } })).status).toBe(200);
    }
    const text = await (await request("GET", "/api/activity?limit=500", { token })).text();
    const { entries } = JSON.parse(text) as { entries: { id: string; kind: string }[] };
    expect(text.length).toBeLessThan(1_100_000);
    // The requests themselves are entries too, and how long they take decides where these stand.
    const sent = entries.filter(({ kind }) => kind === "tool");
    expect(sent.length).toBeGreaterThan(10);
    expect(sent.at(-1)?.id).toMatch(/:47$/);
  });
});
