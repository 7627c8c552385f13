import { afterEach, expect, test } from "vitest";
import { LeaseProcess } from "../../../test/harness/db/lease-process.ts";
import { type LeaseTestTables, leaseTestMigrations } from "../../../test/harness/db/lease-tables.ts";
import { describeOnEngines } from "../../../test/harness/db/store.ts";
import { openDatabase } from "../../platform/db/database.ts";
import type { Place } from "../../platform/db/types.ts";

const tenYears = 10 * 365 * 24 * 3_600_000;

async function deeds(place: Place) {
  const database = openDatabase<LeaseTestTables>(place, leaseTestMigrations);
  try {
    return await database.read((db) => db.selectFrom("deed").selectAll().orderBy("place").execute());
  } finally {
    await database.close();
  }
}

describeOnEngines("J07 leases of several processes", (engine) => {
  const started: LeaseProcess[] = [];
  async function start(place: Place, options?: { clockOffByMs: number }): Promise<LeaseProcess> {
    const process = await LeaseProcess.start(place, options);
    started.push(process);
    return process;
  }
  afterEach(() => Promise.all(started.splice(0).map((process) => process.kill())));

  test("eight contend: never two inside, all get their turns, the tokens only grow", async () => {
    const place = await engine.fresh();
    const processes = await Promise.all(Array.from({ length: 8 }, () => start(place)));
    const times = 5;
    const job = { job: "take-turns", name: "commit:main", times } as const;
    const answers = await Promise.all(processes.map((process) => process.tell(job)));
    expect(answers).toEqual(processes.map(() => "done"));
    const done = await deeds(place);
    expect(done).toHaveLength(2 * times * processes.length);
    for (let index = 0; index < done.length; index += 2) {
      const [entered, left] = [done[index], done[index + 1]];
      expect(left?.by).toBe(entered?.by.replace(" in", " out"));
      expect([entered?.token, left?.token]).toEqual([index / 2 + 1, index / 2 + 1]);
    }
  });

  test("kill -9 of a holder: while it lived nobody got the lease, afterwards the next one does", async () => {
    const place = await engine.fresh();
    const [holder, other] = await Promise.all([start(place), start(place)]);
    const name = "ticket:T-001";
    expect(await holder.tell({ job: "hold", name, ttlMs: 4_000 })).toBe("token 1");
    expect(await other.tell({ job: "claim", name, ttlMs: 4_000 })).toBe("taken");
    await holder.kill();
    expect(await other.tell({ job: "wait", name, ttlMs: 4_000 })).toBe("token 2");
    expect(await other.tell({ job: "write", name })).toBe("written");
  });

  test("a holder stopped past its time and continued is refused by its old token, and knows it has lost", async () => {
    const place = await engine.fresh();
    const [holder, other] = await Promise.all([start(place), start(place)]);
    const name = "ticket:T-001";
    // Long enough that it is stopped well before its first renewal: in the middle of one it would keep the database locked.
    expect(await holder.tell({ job: "hold", name, ttlMs: 3_000 })).toBe("token 1");
    expect(await holder.tell({ job: "write", name })).toBe("written");
    holder.signal("SIGSTOP");
    expect(await other.tell({ job: "wait", name, ttlMs: 60_000 })).toBe("token 2");
    holder.signal("SIGCONT");
    expect(await holder.tell({ job: "write", name })).toBe("CONFLICT_ERROR");
    expect(await holder.tell({ job: "lost" })).toBe("lost");
    expect(await other.tell({ job: "write", name })).toBe("written");
    expect((await deeds(place)).map(({ by, token }) => [by, token])).toEqual([
      [holder.name, 1],
      [other.name, 2],
    ]);
  });

  test.each([
    ["ahead", tenYears],
    ["behind", -tenYears],
  ])(
    "J09 a process whose clock is ten years %s neither steals a live lease nor holds one for ever",
    async (_, clockOffByMs) => {
      const place = await engine.fresh();
      const [usual, odd] = await Promise.all([start(place), start(place, { clockOffByMs })]);
      const name = "ticket:T-001";
      expect(await usual.tell({ job: "claim", name, ttlMs: 60_000 })).toBe("token 1");
      expect(await odd.tell({ job: "claim", name, ttlMs: 60_000 })).toBe("taken");
      expect(await odd.tell({ job: "claim", name: "other", ttlMs: 500 })).toBe("token 1");
      expect(await usual.tell({ job: "wait", name: "other", ttlMs: 500 })).toBe("token 2");
    },
  );
});
