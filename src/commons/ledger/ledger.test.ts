import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ledgerAlone } from "../../../test/harness/db/migrations.ts";
import { describeOnEngines } from "../../../test/harness/db/store.ts";
import type { CallRecord } from "../../kernel/calls/call.ts";
import type { Effect } from "../../kernel/effect.ts";
import { Redactor } from "../../kernel/text/redactor.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import type { Place } from "../../platform/db/types.ts";
import { Ledger, type LedgerOptions } from "./ledger.ts";
import type { LedgerFilter } from "./model.ts";
import type { LedgerTables } from "./schema.ts";

function call(name: string, effect: Effect, more: Partial<CallRecord> = {}): CallRecord {
  return {
    id: randomUUID(),
    at: Date.now(),
    kind: "tool",
    name,
    effect,
    principal: "local:ann",
    agent: undefined,
    about: [],
    outcome: "ok",
    code: undefined,
    durationMs: 3,
    evidence: [],
    committed: false,
    ...more,
  };
}

type Happening = { process: number; isRead: boolean; jumpMs: number };

describeOnEngines("ledger", (engine) => {
  let place: Place;
  let database: Database<LedgerTables>;
  let ledger: Ledger;
  const warnings: string[] = [];
  const ledgers: Ledger[] = [];
  const databases: Database<LedgerTables>[] = [];

  function openLedger(options: Partial<LedgerOptions> = {}): Ledger {
    const opened = openDatabase<LedgerTables>(place, ledgerAlone);
    databases.push(opened);
    const made = new Ledger({
      database: opened.forTables(),
      redactor: new Redactor(),
      log: (_, message) => warnings.push(message),
      ...options,
    });
    ledgers.push(made);
    database = opened;
    return made;
  }

  beforeEach(async () => {
    place = await engine.fresh();
    ledger = openLedger();
  });
  afterEach(async () => {
    for (const made of ledgers.splice(0)) await made.stop();
    for (const opened of databases.splice(0)) await opened.close();
    expect(warnings.splice(0)).toEqual([]);
  });

  const names = async (filter: LedgerFilter = {}) => (await ledger.latest(filter)).map((entry) => entry.name);

  test("an entry comes back as it was, with its place in the order", async () => {
    const record = call("read_it", "read", { agent: "Claude", about: ["ticket:T-1"], evidence: ["commit:abc"] });
    await ledger.close(record);
    expect(await ledger.latest()).toEqual([{ ...record, committed: true, seq: 1 }]);
  });

  test("entries of reads reach the database without being asked for", async () => {
    await ledger.close(call("read_it", "read"));
    const other = openLedger();
    await expect.poll(async () => (await other.latest()).length, { timeout: 30_000 }).toBe(1);
  });

  test("stopping writes what is still waiting", async () => {
    for (let count = 0; count < 250; count++) await ledger.close(call(`read_${count}`, "read"));
    await ledger.stop();
    const found = await openLedger().latest({ limit: 1000 });
    expect(found.map((entry) => entry.name)).toEqual(Array.from({ length: 250 }, (_, count) => `read_${count}`));
  });

  test("finds by time, name, subject, principal and outcome, the newest, oldest first", async () => {
    const time = Date.now();
    await ledger.close(call("a", "read", { at: time - 3_000, about: ["ticket:T-1", "file:x"] }));
    await ledger.close(call("b", "read", { at: time - 2_000, outcome: "error", code: "NOT_FOUND" }));
    await ledger.close(call("a", "read", { at: time - 1_000, principal: "user:bob", about: ["ticket:T-10"] }));
    expect(await names()).toEqual(["a", "b", "a"]);
    expect(await names({ limit: 2 })).toEqual(["b", "a"]);
    expect(await names({ limit: 0 })).toEqual([]);
    expect(await names({ since: time - 2_000 })).toEqual(["b", "a"]);
    expect(await names({ name: "b" })).toEqual(["b"]);
    expect((await ledger.latest({ about: "ticket:T-1" })).map((entry) => entry.at)).toEqual([time - 3_000]);
    expect((await ledger.latest({ principal: "user:bob" })).map((entry) => entry.at)).toEqual([time - 1_000]);
    expect((await ledger.latest({ outcome: "error" })).map((entry) => entry.code)).toEqual(["NOT_FOUND"]);
    expect(await names({ after: 1, limit: 1 })).toEqual(["b"]);
  });

  test("is in order of time, although reads are written later than the changes after them", async () => {
    const time = Date.now() - 60_000;
    ledger = openLedger({ timing: { flush: 100_000 } });
    const running = call("act_it", "act", { at: time, outcome: "open" });
    await ledger.open(running);
    await ledger.close(call("read_it", "read", { at: time + 1 }));
    await database.transaction((tx) => ledger.commit(tx, call("add_it", "add", { at: time + 2, outcome: "open" })));
    await ledger.close(call("look_at_it", "read", { at: time + 3 }));
    await ledger.close({ ...running, outcome: "ok" });
    expect(await names()).toEqual(["act_it", "read_it", "add_it", "look_at_it"]);
    expect(await names({ limit: 2 })).toEqual(["add_it", "look_at_it"]);
    // A follower gets them as they are written, each once.
    const written = await ledger.latest({ after: 0 });
    expect(written.map(({ name }) => name).sort()).toEqual(["act_it", "add_it", "look_at_it", "read_it"]);
    expect(written.map(({ seq }) => seq)).toEqual(written.map(({ seq }) => seq).sort((a, b) => a - b));
    expect(written[0]?.name).toBe("add_it");
  });

  test("what a laptop reports is in order of time, and not later than it was reported", async () => {
    const now = Date.now();
    await ledger.take([
      call("from_tomorrow", "read", { at: now + 3_600_000 }),
      call("earlier", "read", { at: now - 9 }),
    ]);
    const entries = await ledger.latest();
    expect(entries.map(({ name }) => name)).toEqual(["earlier", "from_tomorrow"]);
    expect(entries[1]?.at).toBeLessThanOrEqual(Date.now());
  });

  test("stays in the order in which things happened when the clock is set, in several processes", async () => {
    const calls = fc.record({
      process: fc.integer({ min: 0, max: 2 }),
      isRead: fc.boolean(),
      // Mostly nothing; otherwise hours ahead or back, before the call.
      jumpMs: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: -50, max: 50 }).map((hours) => hours * 3_600_000) },
      ),
    });
    let round = 0;
    /** One call of a process at its time; what waits is written within moments, in which the clock may be set once. */
    async function happen(processes: Ledger[], clock: { now: number }, event: Happening, record: CallRecord) {
      clock.now += 3;
      const writer = processes[event.process];
      if (event.isRead) await writer?.close({ ...record, outcome: "ok" });
      else await database.transaction((tx) => writer?.commit(tx, record) ?? Promise.resolve());
    }
    async function setClock(processes: Ledger[], clock: { now: number }, jumpMs: number, isNoticed: boolean) {
      const flushAll = () => Promise.all(processes.map((each) => each.flush()));
      if (jumpMs !== 0 && !isNoticed) await flushAll();
      clock.now += jumpMs + 5;
      if (jumpMs !== 0) await flushAll();
    }
    await fc.assert(
      fc.asyncProperty(fc.array(calls, { maxLength: 25 }), async (happening) => {
        const clock = { now: Date.now() };
        const about = [`round:${++round}`];
        const processes = [0, 1, 2].map(() => openLedger({ now: () => clock.now, timing: { flush: 100_000 } }));
        let isNoticed = true;
        for (const [index, event] of happening.entries()) {
          await setClock(processes, clock, event.jumpMs, isNoticed);
          isNoticed = (isNoticed && event.jumpMs === 0) || !event.isRead;
          const effect = event.isRead ? "read" : "add";
          await happen(
            processes,
            clock,
            event,
            call(`call_${index}`, effect, { at: clock.now, about, outcome: "open" }),
          );
        }
        for (const each of processes) await each.stop();
        expect(await names({ about: about[0], limit: 100 })).toEqual(happening.map((_, index) => `call_${index}`));
      }),
      { numRuns: 20 },
    );
  });

  test("a change and its entry are both there, or neither", async () => {
    const kept = call("add_it", "add", { outcome: "open" });
    await database.transaction((tx) => ledger.commit(tx, kept));
    expect(kept.committed).toBe(true);
    expect(await ledger.latest()).toMatchObject([{ name: "add_it", outcome: "ok" }]);
    const undone = call("add_that", "add", { outcome: "open" });
    const failing = database.transaction(async (tx) => {
      await ledger.commit(tx, undone);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(undone.committed).toBe(false);
    await ledger.close({ ...undone, outcome: "error", code: "INTERNAL_ERROR" });
    expect(await ledger.latest({ name: "add_that" })).toMatchObject([{ outcome: "error" }]);
  });

  test("closing a committed call writes again only what it did not say yet", async () => {
    const record = call("add_it", "add", { outcome: "open" });
    await database.transaction(async (tx) => {
      await ledger.commit(tx, record);
      await ledger.commit(tx, record);
    });
    record.outcome = "ok";
    await ledger.close(record);
    expect((await ledger.latest()).map((entry) => entry.seq)).toEqual([1]);
    record.evidence.push("test-run:7");
    await ledger.close(record);
    expect(await ledger.latest()).toMatchObject([{ id: record.id, outcome: "ok", evidence: ["test-run:7"] }]);
    await ledger.close({ ...record, outcome: "error", code: "TIMEOUT" });
    expect(await ledger.latest()).toMatchObject([{ id: record.id, outcome: "ok", code: "TIMEOUT" }]);
  });

  test("a change outside the database is there before it is made, and again with its outcome", async () => {
    const record = call("act_it", "act", { outcome: "open", about: ["file:a"] });
    await ledger.open(record);
    expect(await openLedger().latest()).toMatchObject([{ id: record.id, outcome: "open" }]);
    await database.transaction((tx) => ledger.commit(tx, record));
    expect(await ledger.latest()).toMatchObject([{ id: record.id, outcome: "open" }]);
    record.outcome = "ok";
    await ledger.close(record);
    expect(await ledger.latest()).toMatchObject([{ id: record.id, outcome: "ok", about: ["file:a"] }]);
    expect(await ledger.latest({ about: "file:a" })).toHaveLength(1);
  });

  test("what a silent process left open counts as interrupted and is marked so by another; its return has the last word", async () => {
    const clock = { now: Date.now() };
    // This one never renews its promise, as a process that was killed or stopped.
    const silent = openLedger({ now: () => clock.now });
    const record = call("act_it", "act", { outcome: "open" });
    await silent.open(record);
    const later = openLedger({ now: () => clock.now + 60_000 });
    expect(await later.latest({ outcome: "open" })).toEqual([]);
    expect(await later.latest({ outcome: "interrupted" })).toMatchObject([{ id: record.id, outcome: "interrupted" }]);
    await later.stop();
    expect(await silent.latest()).toMatchObject([{ id: record.id, outcome: "interrupted" }]);
    await silent.close({ ...record, outcome: "ok" });
    expect(await silent.latest()).toMatchObject([{ id: record.id, outcome: "ok" }]);
  });

  test("while a call is under way its process goes on promising to be alive", async () => {
    const busy = openLedger({ timing: { lease: 3_000 } });
    await busy.open(call("act_it", "act", { outcome: "open" }));
    const promise = async () => {
      const row = await database.read((db) => db.selectFrom("ledger_entry").select("alive_until").executeTakeFirst());
      return row?.alive_until ?? 0;
    };
    const first = await promise();
    await expect.poll(promise, { timeout: 30_000 }).toBeGreaterThan(first);
  });

  test("a clock set back by years does not leave an entry open for years", async () => {
    const ahead = openLedger({ now: () => Date.now() + 10 * 365 * 86_400_000 });
    await ahead.open(call("act_it", "act", { outcome: "open" }));
    expect(await ledger.latest()).toMatchObject([{ outcome: "interrupted" }]);
  });

  test("entries past their time or number go, open ones stay", async () => {
    const now = Date.now();
    await ledger.close(call("old", "read", { at: now - 40 * 86_400_000 }));
    await ledger.close(call("recent", "read", { at: now }));
    await ledger.flush();
    await ledger.open(call("running", "act", { at: now - 40 * 86_400_000, outcome: "open" }));
    const shorter = openLedger({ retentionDays: 30 });
    await shorter.latest();
    await shorter.stop();
    expect(await names()).toEqual(["running", "recent"]);
    const fewer = openLedger({ retentionEntries: 10 });
    for (let count = 0; count < 600; count++) await fewer.close(call(`read_${count}`, "read"));
    await fewer.flush();
    await fewer.stop();
    const left = await names({ limit: 1_000 });
    expect(left.length).toBeLessThan(120);
    expect(left).toContain("running");
    expect(left.at(-1)).toBe("read_599");
  });

  test("secrets do not get in, and neither do endless texts", async () => {
    const token = `ghp_${"a1".repeat(20)}`;
    const redactor = new Redactor();
    redactor.learn("correct horse battery");
    const careful = openLedger({ redactor });
    const record = call("read_it", "read", {
      name: `read ${token}`,
      agent: `agent ${token} ${"x".repeat(100_000)}`,
      principal: "user:correct horse battery",
      about: [
        `file:${token}`,
        "nul:\0",
        "half:\ud83d",
        ...Array.from({ length: 5_000 }, (_, count) => `file:${count}`),
      ],
      evidence: [`https://user:hunter2secret@example.org/${token}`],
    });
    await careful.close(record);
    const opened = { ...record, id: randomUUID(), outcome: "open" as const };
    await careful.open(opened);
    await database.transaction((tx) => careful.commit(tx, { ...opened, id: randomUUID() }));
    const entries = await careful.latest();
    const text = JSON.stringify(entries);
    expect(entries).toHaveLength(3);
    expect(text).not.toMatch(/ghp_|horse|hunter2/);
    expect(text.length).toBeLessThan(20_000);
  });
});
