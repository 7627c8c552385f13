import { describe, expect, test } from "vitest";
import { keyFile, startGuarded } from "../../../test/harness/commons/guard.ts";
import { describeOnEngines, type TestEngine } from "../../../test/harness/db/store.ts";
import type { GuardTables } from "./schema.ts";

type Row = GuardTables["approval"];

const caller = JSON.stringify(["local:ada", "assistant"]);
const wanted = {
  caller,
  sha256: "a".repeat(64),
  action: { summary: "Write a.md", touches: ["file:a.md"], content: "x" },
};

describeOnEngines("approvals", (engine) => {
  const start = async () => startGuarded(await engine.fresh(), { key: keyFile() });

  test("secrets are taken out of each text by itself; the list stays a list, and whose it is stays as it is", async () => {
    const { guard } = await start();
    const touches = ["url:http://h:1", "protected:deploy.yml", "file:x@y", "url:https://u:hunter2hunter2@h/"];
    const named = JSON.stringify(["local:ada", `sk-assistant-${"a1B2".repeat(8)}`]);
    const action = { summary: "Fetch https://u:hunter2hunter2@h/", touches, content: "c" };
    const first = await guard.approvals.claim({ ...wanted, caller: named, action });
    expect(await guard.approvals.claim({ ...wanted, caller: named, action })).toEqual(first);
    const waiting = await guard.approvals.listWaiting();
    expect(waiting).toMatchObject([{ caller: named, sha256: wanted.sha256 }]);
    expect(waiting[0]?.touches.slice(0, 3)).toEqual(touches.slice(0, 3));
    expect(JSON.stringify(waiting)).not.toContain("hunter2");
  });

  test("the limit of what may wait holds for a caller whose name looks like a secret", async () => {
    const { guard } = await start();
    const named = JSON.stringify(["local:ada", `sk-assistant-${"a1B2".repeat(8)}`]);
    for (let index = 0; index < 25; index++)
      await guard.approvals.claim({ ...wanted, caller: named, sha256: String(index).repeat(32) });
    expect(await guard.approvals.listWaiting()).toHaveLength(20);
  });

  test("an approval that somebody else wrote into the database counts for nothing", async () => {
    const { guard, database } = await start();
    expect(await guard.approvals.claim(wanted)).toMatchObject({ verdict: "waiting" });
    for (const seal of [null, ""]) {
      await database.transaction((tx) =>
        tx.updateTable("approval").set({ decision: "approved", decided_by: "ada", decided_at: 1, seal }).execute(),
      );
      expect(await guard.approvals.claim(wanted)).toMatchObject({ verdict: "waiting" });
    }
  });

  // SQLite alone takes values of other types than its columns have.
  if (engine.name === "sqlite") describe("that came with the file", () => planted(engine));
});

function planted(engine: TestEngine): void {
  async function start(...rows: object[]) {
    const guarded = startGuarded(await engine.fresh(), { key: keyFile() });
    const now = Date.now();
    const likeOurs: Row = {
      ...{ id: "0badcafe", caller, sha256: wanted.sha256, summary: "Write a.md", touches: '["file:a.md"]' },
      ...{ asked_at: now, expires_at: now + 1_000_000 },
      ...{ decision: null, decided_by: null, decided_at: null, seal: null, used_at: null },
    };
    for (const row of rows)
      await guarded.database.transaction((tx) =>
        tx
          .insertInto("approval")
          .values({ ...likeOurs, ...row })
          .execute(),
      );
    return guarded;
  }

  test.each([
    ["another summary", { summary: "Fix a typo" }],
    ["other targets", { touches: '["file:README.md"]' }],
  ])("and show a person %s are not for the change they name", async (_what, lie) => {
    const { guard } = await start(lie);
    const claimed = await guard.approvals.claim(wanted);
    expect(claimed).toMatchObject({ verdict: "waiting" });
    expect(claimed).not.toMatchObject({ id: "0badcafe" });
    await guard.approvals.decide({ id: "0badcafe", sha256: wanted.sha256 }, "approved", "ada");
    expect(await guard.approvals.claim(wanted)).toEqual(claimed);
  });

  test("words changed after the person's decision undo it", async () => {
    const { guard, database } = await start({ summary: "Fix a typo" });
    await guard.approvals.decide({ id: "0badcafe", sha256: wanted.sha256 }, "approved", "ada");
    await database.transaction((tx) => tx.updateTable("approval").set({ summary: "Write a.md" }).execute());
    expect(await guard.approvals.claim(wanted)).toMatchObject({ verdict: "waiting" });
  });

  test.each([
    ["no JSON", { touches: "[" }],
    ["no list", { touches: "{}" }],
    ["a list of something else", { touches: "[1]" }],
  ])("with %s for a list are shown as unreadable, and can be denied", async (_what, spoilt) => {
    const { guard } = await start(spoilt, { id: "1badcafe" });
    const waiting = await guard.approvals.listWaiting();
    expect(waiting.map(({ touches }) => touches).sort()).toEqual([["(unreadable)"], ["file:a.md"]]);
    await guard.approvals.decide({ id: "0badcafe", sha256: wanted.sha256 }, "denied", "ada");
    expect(await guard.approvals.listWaiting()).toHaveLength(1);
  });

  test.each([
    ["a time that cannot be read", { expires_at: 2n ** 62n }],
    ["another such time", { asked_at: 2n ** 62n }],
    ["text for a time", { expires_at: "never" }],
    ["bytes for text", { summary: Buffer.from("x") }],
  ])("with %s are not listed, and do not keep others from it", async (_what, spoilt) => {
    const { guard } = await start(spoilt, { id: "1badcafe" });
    expect((await guard.approvals.listWaiting()).map(({ id }) => id)).toEqual(["1badcafe"]);
    expect(await guard.approvals.claim({ ...wanted, sha256: "b".repeat(64) })).toMatchObject({ verdict: "waiting" });
  });
}
