import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod";
import { alone } from "../../../test/harness/db/migrations.ts";
import { describeOnEngines } from "../../../test/harness/db/store.ts";
import type { Call } from "../../kernel/calls/call.ts";
import { type Caller, invoke, type Runtime } from "../../kernel/calls/invoke.ts";
import { defineTool } from "../../kernel/definitions/tool.ts";
import { localPrincipal } from "../../kernel/principal.ts";
import { Redactor } from "../../kernel/text/redactor.ts";
import { beforeCommit, type Database, openDatabase } from "../../platform/db/database.ts";
import type { Migration } from "../../platform/db/types.ts";
import { Ledger } from "./ledger.ts";
import { type LedgerTables, ledgerMigrations } from "./schema.ts";

type Tables = LedgerTables & { note: { text: string } };

const notes: Migration = {
  id: 2,
  name: "notes",
  up: async (db) => db.schema.createTable("note").addColumn("text", "text").execute(),
};

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describeOnEngines("a change that outlives its call", (engine) => {
  let database: Database<Tables>;
  let ledger: Ledger;
  let runtime: Runtime<object>;
  const warnings: string[] = [];

  beforeEach(async () => {
    database = openDatabase<Tables>(await engine.fresh(), alone(ledgerMigrations, [notes]));
    const redactor = new Redactor();
    ledger = new Ledger({ database: database.forTables(), redactor, log: (_, message) => warnings.push(message) });
    const log = () => undefined;
    runtime = { services: {}, recorder: ledger, redactor, newId: randomUUID, now: () => Date.now(), log };
    await database.read((db) => db.selectFrom("note").selectAll().execute());
  });
  afterEach(async () => {
    await ledger.stop();
    await database.close();
    expect(warnings.splice(0)).toEqual([]);
  });

  const addNote = (work: (call: Call) => Promise<void>, deadlineMs: number) =>
    defineTool({
      name: "add_note",
      title: "Add a note",
      description: "Adds a note.",
      effect: "add",
      deadlineMs,
      input: z.object({}),
      output: z.object({}),
      async run(_services: object, _input, call) {
        await work(call);
        return {};
      },
    });
  const run = (
    work: (call: Call) => Promise<void>,
    { deadlineMs = 20, signal = new AbortController().signal } = {},
  ) => {
    const principal = localPrincipal("ann");
    const caller: Caller = { principal, signal, report() {}, log() {}, canAsk: () => false, ask: async () => ({}) };
    return invoke(runtime, "notes", addNote(work, deadlineMs), {}, caller);
  };
  const written = () => database.read((db) => db.selectFrom("note").selectAll().execute());

  test("is undone where it comes after the answer, and the answer stays recorded", async () => {
    const { open, opened } = gate();
    let change: Promise<void> = Promise.resolve();
    const outcome = await run((call) => {
      change = opened.then(() =>
        database.transaction(async (tx) => {
          await tx.insertInto("note").values({ text: "late" }).execute();
          await ledger.commit(tx, call.record);
        }),
      );
      return change;
    });
    expect(outcome).toMatchObject({ kind: "error", body: { code: "TIMEOUT" } });
    await ledger.flush();
    open();
    await expect(change).rejects.toMatchObject({ code: "CANCELLED" });
    expect(await written()).toEqual([]);
    expect(await ledger.latest()).toMatchObject([{ name: "add_note", outcome: "error", code: "TIMEOUT" }]);
  });

  test("stays recorded as made where its transaction was already ending", async () => {
    const stop = new AbortController();
    let change: Promise<void> = Promise.resolve();
    const outcome = await run(
      (call) => {
        change = database.transaction(async (tx) => {
          await tx.insertInto("note").values({ text: "just made it" }).execute();
          await ledger.commit(tx, call.record);
          beforeCommit(tx, () => stop.abort());
        });
        return change;
      },
      { deadlineMs: 30_000, signal: stop.signal },
    );
    expect(outcome).toMatchObject({ kind: "error", body: { code: "CANCELLED" } });
    await Promise.all([change, ledger.flush()]);
    expect(await written()).toHaveLength(1);
    expect(await ledger.latest()).toMatchObject([{ name: "add_note", outcome: "ok" }]);
  });

  test("is not made where it was answered before its transaction ends", async () => {
    const { open, opened } = gate();
    const stop = new AbortController();
    let change: Promise<void> = Promise.resolve();
    const outcome = await run(
      (call) => {
        change = database.transaction(async (tx) => {
          await tx.insertInto("note").values({ text: "too late" }).execute();
          await ledger.commit(tx, call.record);
          stop.abort();
          await opened;
        });
        return change;
      },
      { deadlineMs: 30_000, signal: stop.signal },
    );
    expect(outcome).toMatchObject({ kind: "error", body: { code: "CANCELLED" } });
    open();
    await expect(change).rejects.toMatchObject({ code: "CANCELLED" });
    expect(await written()).toEqual([]);
    expect(await ledger.latest()).toMatchObject([{ name: "add_note", outcome: "cancelled" }]);
  });

  test("that is made before the call fails stays recorded as made, with what the caller was told", async () => {
    const outcome = await run(
      async (call) => {
        await database.transaction(async (tx) => {
          await tx.insertInto("note").values({ text: "made" }).execute();
          await ledger.commit(tx, call.record);
        });
        throw new Error("and then");
      },
      { deadlineMs: 30_000 },
    );
    expect(outcome).toMatchObject({ kind: "error", body: { code: "INTERNAL_ERROR" } });
    expect(await written()).toHaveLength(1);
    expect(await ledger.latest()).toMatchObject([{ name: "add_note", outcome: "ok", code: "INTERNAL_ERROR" }]);
  });

  test("and its entry agree, whenever the call is cancelled", async () => {
    const ids: string[] = [];
    for (let turns = 0; turns < 40; turns++) {
      const stop = new AbortController();
      let change: Promise<unknown> = Promise.resolve();
      await run(
        (call) => {
          ids.push(call.record.id);
          const made = database.transaction(async (tx) => {
            await tx.insertInto("note").values({ text: call.record.id }).execute();
            const recorded = ledger.commit(tx, call.record);
            for (let turn = 0; turn < turns; turn++) await undefined;
            stop.abort();
            await recorded;
          });
          change = made.catch(() => undefined);
          return made;
        },
        { deadlineMs: 30_000, signal: stop.signal },
      );
      await change;
    }
    const made = (await written()).map(({ text }) => text);
    const entries = await ledger.latest();
    expect(entries).toHaveLength(40);
    // The first was cancelled as soon as its entry was on its way.
    expect(entries.find(({ id }) => id === ids[0])).toMatchObject({ outcome: "cancelled" });
    expect(
      entries
        .filter(({ outcome }) => outcome === "ok")
        .map(({ id }) => id)
        .sort(),
    ).toEqual(made.sort());
  });
});
