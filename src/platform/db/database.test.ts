import { afterEach, expect, test } from "vitest";
import { describeOnEngines } from "../../../test/harness/db/store.ts";
import { addCounter, countOf, type DemoTables, openDemo } from "../../../test/harness/db/store-demo.ts";
import { afterCommit, type Database } from "./database.ts";

describeOnEngines("database", (engine) => {
  const open: Database<DemoTables>[] = [];
  async function demo(): Promise<Database<DemoTables>> {
    const db = openDemo(await engine.fresh());
    open.push(db);
    return db;
  }
  afterEach(async () => {
    for (const db of open.splice(0)) await db.close();
  });

  test("keeps what a transaction wrote, as numbers", async () => {
    const db = await demo();
    await db.transaction((tx) =>
      tx.insertInto("counter").values({ id: "big", count: Number.MAX_SAFE_INTEGER }).execute(),
    );
    expect(await countOf(db, "big")).toBe(Number.MAX_SAFE_INTEGER);
    const { rows } = await db.read((reads) =>
      reads
        .selectFrom("counter")
        .select((eb) => eb.fn.countAll<number>().as("rows"))
        .executeTakeFirstOrThrow(),
    );
    expect(rows).toBe(1);
  });

  test("a number that is not exact is an error, not a wrong number", async () => {
    const db = await demo();
    const huge = 9_007_199_254_740_993n;
    await db.transaction((tx) =>
      tx
        .insertInto("counter")
        .values({ id: "huge", count: huge as unknown as number })
        .execute(),
    );
    await expect(countOf(db, "huge")).rejects.toThrow(/too large/);
  });

  test("undoes the whole of a failed transaction", async () => {
    const db = await demo();
    const failing = db.transaction(async (tx) => {
      await tx.insertInto("counter").values({ id: "a", count: 1 }).execute();
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    expect(await countOf(db, "a")).toBeUndefined();
    await addCounter(db, "b");
    expect(await countOf(db, "b")).toBe(0);
  });

  test("write transactions of one process take turns", async () => {
    const db = await demo();
    await addCounter(db, "c");
    const increment = () =>
      db.transaction(async (tx) => {
        const { count } = await tx.selectFrom("counter").select("count").executeTakeFirstOrThrow();
        await new Promise((resolve) => setImmediate(resolve));
        await tx
          .updateTable("counter")
          .set({ count: count + 1 })
          .execute();
      });
    await Promise.all(Array.from({ length: 50 }, increment));
    expect(await countOf(db, "c")).toBe(50);
  });

  test("a read during a transaction sees what is committed and does not wait", async () => {
    const db = await demo();
    await addCounter(db, "c");
    const seen = await db.transaction(async (tx) => {
      await tx.updateTable("counter").set({ count: 7 }).execute();
      return countOf(db, "c");
    });
    expect(seen).toBe(0);
    expect(await countOf(db, "c")).toBe(7);
  });

  test("a transaction inside another is refused instead of waiting for ever", async () => {
    const db = await demo();
    await expect(db.transaction(() => addCounter(db, "inner"))).rejects.toThrow(/inside another/);
    await addCounter(db, "later");
    expect(await countOf(db, "later")).toBe(0);
  });

  test("work that outlives a transaction may have one of its own", async () => {
    const db = await demo();
    let second: Promise<unknown> | undefined;
    await db.transaction(async (tx) => afterCommit(tx, () => (second = addCounter(db, "second"))));
    await second;
    expect(await countOf(db, "second")).toBe(0);
  });

  test("hooks run after a commit only", async () => {
    const db = await demo();
    const ran: string[] = [];
    await db.transaction(async (tx) => afterCommit(tx, () => ran.push("committed")));
    await db
      .transaction(async (tx) => {
        afterCommit(tx, () => ran.push("never"));
        throw new Error("no");
      })
      .catch(() => undefined);
    expect(ran).toEqual(["committed"]);
  });

  test("close waits for what is under way, and afterwards refuses clearly", async () => {
    const db = await demo();
    const adding = addCounter(db, "last");
    await db.close();
    await adding;
    await expect(countOf(db, "last")).rejects.toMatchObject({ code: "STORE_ERROR", message: /closed/ });
  });

  test("closing a database that was never used opens nothing", async () => {
    await (await demo()).close();
  });
});
