import { afterEach, expect, test } from "vitest";
import { describeOnEngines } from "../../../test/harness/db/store.ts";
import { addNote, type DemoTables, openDemo } from "../../../test/harness/db/store-demo.ts";
import type { Database } from "./database.ts";
import { type RevisedWrite, updateRevised } from "./revision.ts";

describeOnEngines("revisions", (engine) => {
  let db: Database<DemoTables>;
  async function demo(): Promise<void> {
    db = openDemo(await engine.fresh());
    await addNote(db, "n");
  }
  afterEach(() => db.close());

  const write = (expected: number, changes: Record<string, unknown>, more: Partial<RevisedWrite> = {}) =>
    db.transaction((tx) =>
      updateRevised(tx, { table: "note", key: { id: "n" }, expected, changes, what: "note n", ...more }),
    );

  test("a write on the seen revision is made and counted", async () => {
    await demo();
    expect(await write(1, { text: "second" })).toBe(2);
    expect(await db.read((reads) => reads.selectFrom("note").selectAll().executeTakeFirst())).toMatchObject({
      text: "second",
      colour: "red",
      revision: 2,
    });
  });

  test("a stale write is refused with what is there now, by whom and since when", async () => {
    await demo();
    await write(1, { text: "second", colour: "blue", updated_by: "bob", updated_at: 1_700_000_000_000 });
    const stale = write(1, { text: "mine", colour: "blue", updated_by: "ann", updated_at: 2 });
    await expect(stale).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
      message: /note n .*revision 2, not 1.*Different now: text\./,
      details: {
        expectedRevision: 1,
        currentRevision: 2,
        changed: { text: "second" },
        changedBy: "bob",
        changedAt: "2023-11-14T22:13:20.000Z",
      },
    });
    expect(await write(2, { text: "mine" })).toBe(3);
  });

  test("with what the writer saw, every field that changed since is named", async () => {
    await demo();
    await write(1, { colour: "blue" });
    const stale = write(1, { text: "mine" }, { base: { text: "first", colour: "red" } });
    await expect(stale).rejects.toMatchObject({ details: { changed: { colour: "blue" } } });
  });

  test("fields are shown under the names callers know", async () => {
    await demo();
    await write(1, { colour: "blue" });
    const show = ({ colour }: Record<string, unknown>) => ({ paint: { colour } });
    await expect(write(1, { colour: "green" }, { show })).rejects.toMatchObject({
      details: { changed: { paint: { colour: "blue" } } },
    });
  });

  test("a row that is gone is not found", async () => {
    await demo();
    await expect(write(1, { text: "x" }, { key: { id: "other" }, what: "note other" })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: /no note other/,
    });
  });
});
