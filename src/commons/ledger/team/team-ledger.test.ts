import { expect, onTestFinished, test } from "vitest";
import { callRecord } from "../../../../test/harness/cli/cli.ts";
import { migrations } from "../../../../test/harness/db/all-migrations.ts";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { Redactor } from "../../../kernel/text/redactor.ts";
import { openDatabase } from "../../../platform/db/database.ts";
import { Ledger, type LedgerOptions } from "../ledger.ts";
import { TeamLedger } from "./team-ledger.ts";

describeOnEngines("a team's ledger", (engine) => {
  async function open(options: Partial<LedgerOptions> = {}) {
    const database = openDatabase<unknown>(await engine.fresh(), migrations);
    const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined, ...options });
    onTestFinished(async () => {
      await ledger.stop();
      await database.close();
    });
    return { ledger, ours: new TeamLedger(ledger, "ours"), theirs: new TeamLedger(ledger, "theirs") };
  }
  const idsOf = async (ledger: TeamLedger, about?: string) => (await ledger.latest({ about })).map(({ id }) => id);

  test("has what was recorded through it and nothing else", async () => {
    const { ledger, ours, theirs } = await open();
    await ours.close(callRecord({ id: "a", about: ["ticket:T-001"] }));
    await theirs.close(callRecord({ id: "b", about: ["ticket:T-001", "team:ours"] }));
    await ledger.close(callRecord({ id: "c", about: ["ticket:T-001"] }));
    expect(await idsOf(ours)).toEqual(["a"]);
    expect(await idsOf(ours, "ticket:T-001")).toEqual(["a"]);
    expect(await idsOf(ours, "ticket:T-002")).toEqual([]);
    expect(await idsOf(theirs)).toEqual(["b"]);
  });

  test("has a call that is about more than an entry keeps", async () => {
    const { ours } = await open();
    await ours.close(callRecord({ id: "many", about: Array.from({ length: 300 }, (_, index) => `ticket:T-${index}`) }));
    expect(await idsOf(ours)).toEqual(["many"]);
  });

  test("K05 a team that writes much pushes out its own entries, and never another team's", async () => {
    const { ledger, ours, theirs } = await open({ retentionEntries: 10, ofEachTeam: true });
    await theirs.take([callRecord({ id: "quiet" })]);
    for (let batch = 0; batch < 12; batch++)
      await ours.take(Array.from({ length: 100 }, (_, index) => callRecord({ id: `loud-${batch * 100 + index}` })));
    await ledger.stop();
    expect(await idsOf(theirs)).toEqual(["quiet"]);
    const left = (await ours.latest({ limit: 2_000 })).map(({ id }) => id);
    expect(left.length).toBeLessThan(700);
    expect(left.at(-1)).toBe("loud-1199");
  });
});
