import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { ledgerAlone } from "../../../test/harness/db/migrations.ts";
import { describeOnEngines } from "../../../test/harness/db/store.ts";
import { LedgerProcess } from "../../../test/harness/db/store-ledger-process.ts";
import type { CallRecord } from "../../kernel/calls/call.ts";
import { Redactor } from "../../kernel/text/redactor.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import type { Place } from "../../platform/db/types.ts";
import { Ledger } from "./ledger.ts";

function read(name: string): CallRecord {
  return {
    ...{
      id: randomUUID(),
      at: Date.now(),
      kind: "tool",
      name,
      effect: "read",
      principal: "local:ann",
      agent: undefined,
    },
    ...{ about: [], outcome: "ok", code: undefined, durationMs: 1, evidence: [], committed: false },
  };
}

describeOnEngines("ledgers of several processes", (engine) => {
  let child: LedgerProcess | undefined;
  const opened: { ledger: Ledger; database: Database<unknown> }[] = [];

  function openLedger(place: Place, lease: number): Ledger {
    const database = openDatabase<unknown>(place, ledgerAlone);
    const ledger = new Ledger({
      database,
      redactor: new Redactor(),
      log: () => undefined,
      timing: { lease, poll: 50 },
    });
    opened.push({ ledger, database });
    return ledger;
  }

  afterEach(async () => {
    await child?.kill();
    for (const { ledger, database } of opened.splice(0)) {
      await ledger.stop();
      await database.close();
    }
  });

  test("two that follow each other see each other's entries, in order", async () => {
    const place = await engine.fresh();
    const ledger = openLedger(place, 15_000);
    child = new LedgerProcess({ place, job: "answer", lease: 15_000 });
    const stop = new AbortController();
    const heard: string[] = [];
    await ledger.close(read("ping-1"));
    for await (const entry of ledger.follow({ after: 0, principal: "local:worker" }, stop.signal)) {
      heard.push(entry.name);
      if (heard.length === 5) stop.abort();
      else await ledger.close(read(`ping-${heard.length + 1}`));
    }
    expect(heard).toEqual(["pong-1", "pong-2", "pong-3", "pong-4", "pong-5"]);
    const seqs = (await ledger.latest()).map((entry) => entry.seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  });

  test("what a killed process left open is interrupted after its time, and the next one marks it", async () => {
    const place = await engine.fresh();
    child = new LedgerProcess({ place, job: "hang", lease: 1_000 });
    await child.opened();
    await child?.kill();
    const ledger = openLedger(place, 1_000);
    await expect
      .poll(async () => (await ledger.latest()).map((entry) => `${entry.name} ${entry.outcome}`), { timeout: 30_000 })
      .toEqual(["hang interrupted"]);
    await expect.poll(async () => (await ledger.latest())[0]?.seq, { timeout: 30_000 }).toBe(2);
  });
});
