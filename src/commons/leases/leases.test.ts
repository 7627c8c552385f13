import { afterEach, expect, test } from "vitest";
import { type LeaseTestTables, leaseTestMigrations } from "../../../test/harness/db/lease-tables.ts";
import { describeOnEngines } from "../../../test/harness/db/store.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import { agreedTime, isRecent } from "./clock.ts";
import { HeldLease } from "./held-lease.ts";
import { Leases } from "./leases.ts";

const ann = { name: "commit:main", holder: "ann", ttlMs: 60_000 };
const bob = { ...ann, holder: "bob" };
const never = new AbortController().signal;
const conflict = { code: "CONFLICT_ERROR" };

describeOnEngines("leases", (engine) => {
  const opened: Database<LeaseTestTables>[] = [];

  async function start() {
    const database = openDatabase<LeaseTestTables>(await engine.fresh(), leaseTestMigrations);
    opened.push(database);
    /** As if the lease's holder had last been heard of at another time. */
    const move = (by: number) =>
      database.transaction(async (tx) => {
        const renewed_at = (await agreedTime(tx, engine.name)) + by;
        await tx.updateTable("lease").set({ renewed_at }).execute();
      });
    return { database, leases: new Leases(database.forTables<unknown>()), move };
  }

  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
  });

  test("one at a time, and the token grows with every claim, also after a release", async () => {
    const { leases } = await start();
    const first = await leases.claim(ann);
    expect(first).toEqual({ ...ann, token: 1 });
    expect(await leases.claim(bob)).toBeUndefined();
    expect(await leases.claim(ann)).toBeUndefined();
    expect(await leases.current(ann.name)).toEqual({ ...ann, token: 1, leftMs: expect.any(Number) });
    if (first) await leases.release(first);
    expect(await leases.current(ann.name)).toBeUndefined();
    expect(await leases.claim(bob)).toEqual({ ...bob, token: 2 });
    expect(await leases.claim({ ...ann, name: "commit:other" })).toMatchObject({ token: 1 });
  });

  test("many claims at once: exactly one wins", async () => {
    const { leases } = await start();
    const claims = await Promise.all(Array.from({ length: 10 }, (_, n) => leases.claim({ ...ann, holder: `h${n}` })));
    expect(claims.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  test("after its time another may take it; whoever lost it is refused whatever he does with it", async () => {
    const { database, leases, move } = await start();
    const lost = await leases.claim(ann);
    await move(-ann.ttlMs);
    expect(await leases.current(ann.name)).toBeUndefined();
    const taken = await leases.claim(bob);
    if (!lost || !taken) throw new Error("both claims should have worked");
    await expect(leases.renew(lost)).rejects.toMatchObject(conflict);
    await leases.release(lost);
    expect(await leases.current(ann.name)).toEqual({ ...bob, token: 2, leftMs: expect.any(Number) });
    const write = (token: number) =>
      database.transaction(async (tx) => {
        await leases.guard(tx, ann.name, token);
        await tx.insertInto("deed").values({ name: ann.name, by: "x", token }).execute();
      });
    await expect(write(lost.token)).rejects.toMatchObject({ ...conflict, message: expect.stringContaining("bob") });
    await expect(write(3)).rejects.toMatchObject(conflict);
    await write(taken.token);
    await leases.release(taken);
    await expect(write(taken.token)).rejects.toMatchObject(conflict);
    expect(await database.read((db) => db.selectFrom("deed").select("token").execute())).toEqual([{ token: 2 }]);
  });

  test("one whose time is over but that nobody has taken is still its holder's", async () => {
    const { leases, move } = await start();
    const lease = await leases.claim(ann);
    await move(-2 * ann.ttlMs);
    if (lease) await leases.renew(lease);
    expect(await leases.claim(bob)).toBeUndefined();
  });

  test("the clock set back by less than the time of a lease leaves it; by more, or a machine started anew, ends it", async () => {
    const { leases, move } = await start();
    await leases.claim(ann);
    await move(ann.ttlMs / 2);
    expect(await leases.claim(bob)).toBeUndefined();
    await move(ann.ttlMs * 2);
    expect(await leases.claim(bob)).toMatchObject({ token: 2 });
  });

  test("waiting ends with the lease as soon as it is given back", async () => {
    const { leases } = await start();
    const lease = await leases.claim(ann);
    const waiting = leases.wait(bob, { waitMs: 60_000, signal: never });
    if (lease) await leases.release(lease);
    expect(await waiting).toEqual({ ...bob, token: 2 });
  });

  test("those who wait are served in the order they came, and nobody passes them", async () => {
    const { database, leases } = await start();
    let lease = await leases.claim(ann);
    const served: string[] = [];
    const waiting: Promise<void>[] = [];
    for (const holder of ["first", "second", "third"]) {
      const wait = leases.wait({ ...ann, holder }, { waitMs: 60_000, signal: never });
      waiting.push(
        wait.then((won) => {
          served.push(won.holder);
          return leases.release(won);
        }),
      );
      await expect
        .poll(() => database.read((db) => db.selectFrom("lease_waiter").select("waiter").execute()))
        .toHaveLength(waiting.length);
    }
    if (lease) await leases.release(lease);
    lease = await leases.claim({ ...ann, holder: "hasty" });
    await Promise.all(waiting);
    expect({ lease, served }).toEqual({ lease: undefined, served: ["first", "second", "third"] });
    expect(await database.read((db) => db.selectFrom("lease_waiter").select("waiter").execute())).toEqual([]);
  });

  test("waiting ends with an error that names the holder, or at once when cancelled, and leaves the queue", async () => {
    const { database, leases } = await start();
    await leases.claim(ann);
    await expect(leases.wait(bob, { waitMs: 0, signal: never })).rejects.toMatchObject({
      ...conflict,
      message: expect.stringContaining("ann has it"),
    });
    const stop = new AbortController();
    const waiting = leases.wait(bob, { waitMs: 60_000, signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: "CANCELLED" });
    expect(await database.read((db) => db.selectFrom("lease_waiter").select("waiter").execute())).toEqual([]);
  });

  test("one that waited and was killed is passed over", async () => {
    const { database, leases } = await start();
    await database.transaction(async (tx) => {
      const now = await agreedTime(tx, engine.name);
      const waiter = { name: ann.name, waiter: "dead", seen_at: now - 3_600_000 };
      await tx.insertInto("lease_waiter").values(waiter).execute();
    });
    expect(await leases.claim(ann)).toMatchObject({ token: 1 });
  });

  test("a held lease is renewed until it is released, and says so when it was lost", async () => {
    const { database, leases, move } = await start();
    const claim = { ...ann, ttlMs: 2_000 };
    const renewedAt = async () =>
      (await database.read((db) => db.selectFrom("lease").select("renewed_at").executeTakeFirstOrThrow())).renewed_at;
    const lease = await leases.claim(claim);
    if (!lease) throw new Error("the claim should have worked");
    const before = await renewedAt();
    const held = new HeldLease(leases, lease, performance.now());
    await expect.poll(renewedAt, { timeout: 20_000 }).toBeGreaterThan(before);
    await held.release();
    expect(held.lost.aborted).toBe(false);

    const again = await leases.claim(claim);
    if (!again) throw new Error("the second claim should have worked");
    const heldAgain = new HeldLease(leases, again, performance.now());
    await move(-claim.ttlMs);
    const taken = await leases.claim(bob);
    // Where a renewal came first there was nothing to take; then it is not lost either.
    if (taken) await expect.poll(() => heldAgain.lost.aborted, { timeout: 20_000 }).toBe(true);
    await heldAgain.release();
    expect(await leases.current(ann.name)).toEqual({ ...taken, leftMs: expect.any(Number) });
  });
});

test("what counts as recent", () => {
  expect([-10, -9, 0, 9, 10].map((by) => isRecent(100 + by, 100, 10))).toEqual([false, true, true, true, false]);
});
