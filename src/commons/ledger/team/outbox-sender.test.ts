import { expect, it, onTestFinished } from "vitest";
import { callRecord } from "../../../../test/harness/cli/cli.ts";
import { migrations } from "../../../../test/harness/db/all-migrations.ts";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import type { CallRecord } from "../../../kernel/calls/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { Redactor } from "../../../kernel/text/redactor.ts";
import { openDatabase } from "../../../platform/db/database.ts";
import type { Place } from "../../../platform/db/types.ts";
import { Ledger } from "../ledger.ts";
import { Outbox } from "./outbox.ts";
import { OutboxSender } from "./outbox-sender.ts";

type Sent = { id: string; name: string; about: string[] }[];

/** A server that keeps what it is told, and may be away or refuse. */
class Listener {
  readonly batches: Sent[] = [];
  failure: ((batch: Sent) => Error | undefined) | undefined;

  readonly send = async (entries: Sent): Promise<void> => {
    const error = this.failure?.(entries);
    if (error) throw error;
    this.batches.push(entries);
  };

  get ids(): string[] {
    return this.batches.flat().map(({ id }) => id);
  }
}

const away = () => new ForgeError("NETWORK_ERROR", "It is away.");

/** A process that tells when it is told to. */
function startProcess(place: Place, { send }: Pick<Listener, "send">, recipient = "us") {
  const database = openDatabase<unknown>(place, migrations);
  const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined });
  const logged: string[] = [];
  const log = (level: string, message: string) => void logged.push(`${level}: ${message}`);
  const relay = new OutboxSender({ ledger, outbox: new Outbox(database, recipient), send, log, delayMs: 3_600_000 });
  let isOpen = true;
  async function end() {
    if (!isOpen) return;
    isOpen = false;
    await relay.stop();
    await ledger.stop();
    await database.close();
  }
  onTestFinished(end);
  const close = (changes: Partial<CallRecord>) => relay.close(callRecord(changes));
  return { relay, ledger, close, logged, end };
}

describeOnEngines("what a server is told of a laptop", (engine) => {
  it("is what was done, as the ledger has it, without who: the token says that", async () => {
    const server = new Listener();
    const { relay, close, ledger } = startProcess(await engine.fresh(), server);
    await close({ id: "a", about: ["ticket:T-001"], name: `with ghp_${"a1B2".repeat(9)}`, durationMs: 5e9 });
    await close({ id: "b", kind: "completion" });
    await relay.open(callRecord({ id: "c", outcome: "open" }));
    await relay.flush();
    expect(server.ids).toEqual(["a"]);
    expect(server.batches[0]?.[0]).toMatchObject({ about: ["ticket:T-001"], durationMs: 1e9, agent: "claude-code" });
    expect(server.batches[0]?.[0]).not.toHaveProperty("principal");
    expect(JSON.stringify(server.batches)).not.toContain("ghp_");
    expect((await ledger.latest()).map(({ about }) => about)).not.toContainEqual([expect.stringMatching(/^relay:/)]);
    await close({ id: "c", effect: "act", outcome: "ok" });
    await relay.flush();
    expect(server.ids).toEqual(["a", "c"]);
  });

  it("is told by a later process what an earlier one could not tell, which said so once", async () => {
    const server = new Listener();
    const place = await engine.fresh();
    server.failure = away;
    const first = startProcess(place, server);
    await first.close({ id: "a", effect: "set" });
    await first.relay.flush();
    await first.close({ id: "b", effect: "set" });
    await first.relay.flush();
    await first.end();
    expect(first.logged.filter((line) => !line.startsWith("debug: "))).toEqual([
      expect.stringMatching(/^warning: .*stay in this project's ledger.*It is away\.$/),
    ]);
    server.failure = undefined;
    const second = startProcess(place, server);
    await second.close({ id: "c" });
    await second.end();
    expect(server.ids).toEqual(["a", "b", "c"]);
    const third = startProcess(place, server);
    await third.relay.flush();
    expect(server.ids).toEqual(["a", "b", "c"]);
  });

  it("is complained of only where something was changed: of the rest the caller has an answer", async () => {
    const server = new Listener();
    let tries = 0;
    server.failure = () => {
      tries++;
      return away();
    };
    const looking = startProcess(await engine.fresh(), server);
    await looking.close({ id: "a" });
    await looking.close({ id: "b", effect: "set", outcome: "error", code: "CONFLICT_ERROR" });
    await looking.end();
    expect([tries, looking.logged]).toEqual([1, [expect.stringMatching(/^debug: /)]]);
  });

  it("is not tried at the end by a process that has just been told that the server is away", async () => {
    const server = new Listener();
    const place = await engine.fresh();
    const cut = startProcess(place, server);
    await cut.close({ id: "a", outcome: "error", code: "NETWORK_ERROR" });
    await cut.end();
    expect([server.ids, cut.logged]).toEqual([[], []]);
    await startProcess(place, server).relay.flush();
    expect(server.ids).toEqual(["a"]);
  });

  it("is not what was done while the person was signed in elsewhere, or nowhere", async () => {
    const [ours, theirs] = [new Listener(), new Listener()];
    const place = await engine.fresh();
    const local = startProcess(place, ours);
    await local.ledger.close(callRecord({ id: "private" }));
    await local.close({ id: "a", about: ["relay:them", "ticket:T-001"] });
    await local.end();
    const other = startProcess(place, theirs, "them");
    await other.close({ id: "b" });
    await other.end();
    const again = startProcess(place, ours);
    await again.close({ id: "c" });
    await again.end();
    expect([ours.ids, theirs.ids]).toEqual([["a", "c"], ["b"]]);
  });

  it("goes in batches, and one entry that is refused does not keep the others", async () => {
    const server = new Listener();
    const { relay, close, logged } = startProcess(await engine.fresh(), server);
    server.failure = (batch) =>
      batch.some(({ name }) => name === "bad") ? new ForgeError("VALIDATION_ERROR", "No such name.") : undefined;
    for (let count = 0; count < 150; count++) await close({ id: String(count), name: count === 42 ? "bad" : "good" });
    await relay.flush();
    const expected = Array.from({ length: 150 }, (_, count) => String(count)).filter((id) => id !== "42");
    expect(server.ids).toEqual(expected);
    expect(Math.max(...server.batches.map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(logged).toEqual([expect.stringMatching(/^warning: One entry .* rejected it\. No such name\.$/)]);
    await relay.flush();
    expect(server.ids).toHaveLength(149);
  });

  it("is told once by two processes in turn, and by two at once as often as both have it in hand", async () => {
    const server = new Listener();
    const place = await engine.fresh();
    const [one, two] = [startProcess(place, server), startProcess(place, server)];
    await one.close({ id: "a" });
    await one.ledger.flush();
    await Promise.all([one.relay.flush(), two.relay.flush()]);
    expect(new Set(server.ids)).toEqual(new Set(["a"]));
    const before = server.ids.length;
    await Promise.all([one.relay.flush(), two.relay.flush()]);
    expect(server.ids).toHaveLength(before);
    await two.close({ id: "b" });
    await two.relay.flush();
    await one.relay.flush();
    expect(server.ids.filter((id) => id === "b")).toHaveLength(1);
  });

  it("is nothing where the token has no right to, which is said once, quietly, and tried by the next process", async () => {
    const server = new Listener();
    const place = await engine.fresh();
    let tries = 0;
    server.failure = () => {
      tries++;
      return new ForgeError("PERMISSION_DENIED", "The scope is missing.", { details: { scope: "activity:write" } });
    };
    const { relay, close, logged, end } = startProcess(place, server);
    for (const id of ["a", "b"]) {
      await close({ id });
      await relay.flush();
    }
    await end();
    expect([tries, logged]).toEqual([1, [expect.stringMatching(/^debug: /)]]);
    server.failure = undefined;
    await startProcess(place, server).relay.flush();
    expect(server.ids).toEqual(["a", "b"]);
  });
});
