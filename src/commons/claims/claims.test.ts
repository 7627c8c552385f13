import { afterEach, expect, test } from "vitest";
import { type LeaseTestTables, leaseTestMigrations } from "../../../test/harness/db/lease-tables.ts";
import { describeOnEngines } from "../../../test/harness/db/store.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { localPrincipal, type Principal } from "../../kernel/principal.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import { Leases } from "../leases/index.ts";
import { Claims } from "./claims.ts";

const ann = localPrincipal("ann", "claude-code", "one");
const bob = localPrincipal("bob", "cursor", "two");

describeOnEngines("claims", (engine) => {
  const opened: Database<LeaseTestTables>[] = [];

  async function start() {
    const database = openDatabase<LeaseTestTables>(await engine.fresh(), leaseTestMigrations);
    opened.push(database);
    const leases = new Leases(database.forTables<unknown>());
    const open = () =>
      new Claims({
        leases,
        nameOf: (id) => `ticket:${id}`,
        taken: (id, { holder }) => new ForgeError("CONFLICT_ERROR", `${id} is claimed by ${holder}.`),
        now: Date.now,
      });
    const take = (claims: Claims, id: string, principal: Principal) =>
      database.transaction((tx) => claims.take(tx, id, principal, {}));
    return { leases, open, take };
  }

  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
  });

  test("are one's own, and another caller is refused", async () => {
    const { open, take } = await start();
    const claims = open();
    expect(await take(claims, "T-1", ann)).toMatchObject({
      isNew: true,
      claim: { holder: expect.stringMatching(/^ann\/claude-code#/) },
    });
    expect(await take(claims, "T-1", ann)).toMatchObject({ isNew: false });
    await expect(take(claims, "T-1", bob)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
  });

  test("what a process holds is open to whoever it serves", async () => {
    const { open, take } = await start();
    const claims = open();
    await claims.hold("T-1", ann);
    expect(await take(claims, "T-1", bob)).toMatchObject({ isNew: false });
    await claims.stop();
  });

  test("another thing whose lease has the same number is not what the process holds", async () => {
    const { open, take, leases } = await start();
    const claims = open();
    await claims.hold("T-1", ann);
    await take(open(), "T-2", ann);
    expect(await leases.current("ticket:T-2")).toMatchObject({ token: (await leases.current("ticket:T-1"))?.token });
    await expect(take(claims, "T-2", bob)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await claims.stop();
  });

  test("nor is the same thing once another has taken it since", async () => {
    const { open, take, leases } = await start();
    const claims = open();
    await claims.hold("T-1", ann);
    const held = await leases.current("ticket:T-1");
    if (held) await leases.release(held);
    await take(open(), "T-1", ann);
    await expect(take(claims, "T-1", bob)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await claims.stop();
  });
});
