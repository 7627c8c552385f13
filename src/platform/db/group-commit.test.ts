import { sql } from "kysely";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { describeOnEngines } from "../../../test/harness/db/store.ts";
import { addCounter, countOf, type DemoTables, openDemo } from "../../../test/harness/db/store-demo.ts";
import { afterCommit, beforeCommit, type Database, writeTogether } from "./database.ts";

describeOnEngines("changes at the same time", (engine) => {
  let db: Database<DemoTables>;
  /** Stands still, so that on a slow machine too those that come together stay together. */
  const clock = { ms: 0 };
  beforeEach(async () => {
    vi.spyOn(performance, "now").mockImplementation(() => clock.ms);
    db = openDemo(await engine.fresh());
    await addCounter(db, "c");
  });
  afterEach(async () => {
    await db.close();
    vi.restoreAllMocks();
  });

  const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
  const rows = () => db.read((reads) => reads.selectFrom("counter").select("id").orderBy("id").execute());

  /** What the transaction of a change is known by in the database, before and after it. */
  async function commitsOf(ids: readonly string[], { isLong = false, tookMs = 0 } = {}): Promise<number> {
    const marks = await Promise.all(
      ids.map((id) =>
        db.transaction(
          async (tx) => {
            await tx.insertInto("counter").values({ id, count: 0 }).execute();
            clock.ms += tookMs;
            const asked =
              engine.name === "sqlite"
                ? // Not committed yet, so another connection sees only what is.
                  await db.read((reads) => sql<{ mark: number }>`select count(*) as mark from counter`.execute(reads))
                : await sql<{ mark: string }>`select pg_current_xact_id()::text as mark`.execute(tx);
            return asked.rows[0]?.mark;
          },
          { isLong },
        ),
      ),
    );
    return new Set(marks).size;
  }

  test("share commits, and are all there", async () => {
    expect(await commitsOf(names(64))).toBe(1);
    expect(await rows()).toHaveLength(65);
  });

  test("wait for no more than 64, nor for what comes after 20 ms", async () => {
    expect(await commitsOf(names(65))).toBe(2);
    const others = (count: number) => names(count).map((name) => `other-${name}`);
    expect(await commitsOf(others(8), { tookMs: 10 })).toBe(4);
  });

  test("that are long share none", async () => {
    expect(await commitsOf(names(5), { isLong: true })).toBe(5);
  });

  test("that are long keep others waiting for one of them, however many they are", async () => {
    const made: string[] = [];
    const change = (id: string, isLong: boolean) =>
      db.transaction(
        async (tx) => {
          await tx.insertInto("counter").values({ id, count: 0 }).execute();
          made.push(id);
        },
        { isLong },
      );
    const long = names(5).map((name) => change(name, true));
    await Promise.all([...long, change("a", false), change("b", false)]);
    expect(made.slice(0, 3)).toEqual(expect.arrayContaining(["a", "b"]));
    expect(made.filter((name) => name.startsWith("n"))).toEqual(names(5));
  });

  test("have rows written together, in their order, and none of one that failed", async () => {
    const lots: string[][] = [];
    const key = {};
    const add = (id: string) =>
      db.transaction(async (tx) => {
        writeTogether(tx, key, [id, `${id}-too`], async (all, ids) => {
          lots.push([...ids]);
          await all
            .insertInto("counter")
            .values(ids.map((name) => ({ id: name, count: 0 })))
            .execute();
        });
        if (id === "bad") throw new Error("no");
      });
    await Promise.all([add("a"), add("b")]);
    expect(lots).toEqual([["a", "a-too", "b", "b-too"]]);
    const outcomes = await Promise.allSettled([add("x"), add("bad"), add("y")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((await rows()).map(({ id }) => id)).toEqual(["a", "a-too", "b", "b-too", "c", "x", "x-too", "y", "y-too"]);
  });

  test("each see those before them", async () => {
    const seen = await Promise.all(
      names(20).map(() =>
        db.transaction(async (tx) => {
          const { count } = await tx.selectFrom("counter").select("count").executeTakeFirstOrThrow();
          await tx
            .updateTable("counter")
            .set({ count: count + 1 })
            .execute();
          return count;
        }),
      ),
    );
    expect(seen).toEqual(names(20).map((_, index) => index));
    expect(await countOf(db, "c")).toBe(20);
  });

  test("one that fails is refused alone, leaves nothing, and decides by what was kept", async () => {
    const hooks: string[] = [];
    const runs = new Map<string, number>();
    const change = (id: string) =>
      db.transaction(async (tx) => {
        runs.set(id, (runs.get(id) ?? 0) + 1);
        afterCommit(tx, () => hooks.push(id));
        await tx.insertInto("counter").values({ id, count: 0 }).execute();
        if (id !== "n2" && id !== "n4") return id;
        const { rows: kept } = await db.read((reads) => sql`select id from counter`.execute(reads));
        throw new Error(`${id} with ${kept.length}`);
      });
    const outcomes = await Promise.allSettled(names(6).map(change));
    expect(
      outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : outcome.reason.message)),
    ).toEqual(
      // Beside the first, those that were kept before each.
      ["n0", "n1", "n2 with 3", "n3", "n4 with 4", "n5"],
    );
    expect(await rows()).toEqual(["c", "n0", "n1", "n3", "n5"].map((id) => ({ id })));
    expect(hooks).toEqual(["n0", "n1", "n3", "n5"]);
    expect(runs.get("n0")).toBeGreaterThan(1);
  });

  test("an error of the database is its own change's alone", async () => {
    const outcomes = await Promise.allSettled(["a", "b", "c", "d"].map((id) => addCounter(db, id)));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect((await rows()).map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
  });

  test("what is looked at before the commit can still refuse its own change", async () => {
    const change = (id: string) =>
      db.transaction(async (tx) => {
        await tx.insertInto("counter").values({ id, count: 0 }).execute();
        beforeCommit(tx, () => {
          if (id === "n1") throw new Error("not any more");
        });
      });
    const outcomes = await Promise.allSettled(names(4).map(change));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    expect((await rows()).map(({ id }) => id)).toEqual(["c", "n0", "n2", "n3"]);
  });

  test("that failed in the commit itself are refused together, and none is made again", async () => {
    let runs = 0;
    const deferred = engine.name === "sqlite" ? "pragma defer_foreign_keys = on" : "set constraints all deferred";
    const outer = engine.name === "sqlite" ? "integer" : "bigint";
    await db.transaction(async (tx) => {
      await sql.raw(`create table outer_one (id ${outer} primary key)`).execute(tx);
      await sql
        .raw(`create table inner_one (id ${outer} references outer_one (id) deferrable initially deferred)`)
        .execute(tx);
    });
    const change = (id: string) =>
      db.transaction(async (tx) => {
        runs++;
        await sql.raw(deferred).execute(tx);
        await tx.insertInto("counter").values({ id, count: 0 }).execute();
        if (id === "n1") await sql`insert into inner_one (id) values (7)`.execute(tx);
      });
    const outcomes = await Promise.allSettled(names(3).map(change));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(runs).toBe(3);
    expect(await rows()).toEqual([{ id: "c" }]);
    await addCounter(db, "later");
    expect(await countOf(db, "later")).toBe(0);
  });

  test("a transaction inside one of them is refused, and the others are made", async () => {
    const outcomes = await Promise.allSettled([
      addCounter(db, "before"),
      db.transaction(() => addCounter(db, "inner")),
      addCounter(db, "after"),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((await rows()).map(({ id }) => id)).toEqual(["after", "before", "c"]);
  });

  test("are waited for when the database is closed", async () => {
    const adding = names(10).map((id) => addCounter(db, id));
    await db.close();
    await expect(Promise.all(adding)).resolves.toHaveLength(10);
  });
});
