import { expect, test } from "vitest";
import { type LeaseTestTables, leaseTestMigrations } from "../../../test/harness/db/lease-tables.ts";
import { describeOnEngines } from "../../../test/harness/db/store.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { machineName } from "../../platform/host/machine-name.ts";
import { Leases } from "../leases/index.ts";
import { ClaimKeepers, keeperHolder } from "./claim-keepers.ts";

/** No process has so high a number. */
const deadPid = 2 ** 30;

describeOnEngines("the process that keeps a claim", (engine) => {
  test("is here, elsewhere, gone, or there is none", async () => {
    const database = openDatabase<LeaseTestTables>(await engine.fresh(), leaseTestMigrations);
    try {
      const leases = new Leases(database.forTables<unknown>());
      const keepers = new ClaimKeepers(leases);
      const state = async (name: string, pid: number | undefined, machine = machineName(), tokenOff = 0) => {
        const claim = await leases.claim({ name, holder: "ann", ttlMs: 60_000 });
        if (!claim) throw new Error("not claimed");
        const token = claim.token + tokenOff;
        if (pid !== undefined)
          await leases.claim({ name: `kept:${name}`, holder: keeperHolder({ token }, pid, machine), ttlMs: 60_000 });
        return database.read(async (db) => [await keepers.isElsewhere(db, claim), await keepers.isDead(db, claim)]);
      };
      expect(await state("here", process.pid), "this process").toEqual([false, false]);
      expect(await state("parent", process.ppid), "another one that lives").toEqual([true, false]);
      expect(await state("dead", deadPid), "one that has ended").toEqual([false, true]);
      expect(await state("far", deadPid, "another machine"), "nobody knows of another machine's").toEqual([
        true,
        false,
      ]);
      expect(await state("none", undefined), "nobody keeps it").toEqual([false, false]);
      expect(await state("other", deadPid, machineName(), 1), "the keeper of an earlier claim").toEqual([false, false]);
    } finally {
      await database.close();
    }
  });
});
