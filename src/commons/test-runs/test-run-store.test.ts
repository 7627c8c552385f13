import { expect, onTestFinished, test } from "vitest";
import { migrations } from "../../../test/harness/db/all-migrations.ts";
import { describeOnEngines } from "../../../test/harness/db/store.ts";
import { openDatabase } from "../../platform/db/database.ts";
import type { TestRun } from "./test-run.ts";
import { TestRunStore } from "./test-run-store.ts";

const runAt = (at: number, more: Partial<TestRun> = {}): TestRun => ({
  id: `test_${at}`,
  at,
  runner: "go",
  command: ["go", "test"],
  scope: "all",
  included: "all",
  status: "passed",
  total: 1,
  passed: 1,
  failed: 0,
  skipped: 0,
  durationMs: 5,
  exitCode: 0,
  failures: [],
  omittedFailures: 0,
  origin: { from: "tree" },
  withheld: [],
  notes: [],
  output: "ok",
  ...more,
});

describeOnEngines("test runs", (engine) => {
  async function open() {
    const database = openDatabase(await engine.fresh(), migrations);
    onTestFinished(() => database.close());
    return { database, runs: new TestRunStore(database.forTables()) };
  }

  test("are kept whole, and found by id, by tree and by folder, newest first", async () => {
    const { runs } = await open();
    const first = runAt(1, { tree: "aaaa" });
    const second = runAt(2, { tree: "aaaa", treeChanged: true });
    const third = runAt(3, { tree: "bbbb", failures: [{ name: "né", message: "x" }] });
    for (const [root, run] of [
      ["/a", first],
      ["/a", second],
      ["/b", third],
    ] as const)
      await runs.save(root, run);
    expect(await runs.get("test_3")).toEqual(third);
    expect(await runs.get("test_4")).toBeUndefined();
    expect(await runs.latest({ limit: 9 })).toEqual([third, second, first]);
    expect(await runs.latest({ root: "/a" })).toEqual([second]);
    expect(await runs.latest({ tree: "aaaa", limit: 9 })).toEqual([first]);
  });

  test("the newest thousand stay", async () => {
    const { database, runs } = await open();
    const document = JSON.stringify(runAt(1));
    await database.forTables<import("./schema.ts").TestRunTables>().transaction(async (tx) => {
      for (let at = 1; at <= 1_005; at++)
        await tx
          .insertInto("test_run")
          .values({ id: `old_${at}`, at, root: "/a", tree: null, status: "passed", document })
          .execute();
    });
    await runs.save("/a", runAt(2_000));
    expect(await runs.latest({ limit: 2_000 })).toHaveLength(1_000);
    expect(await runs.get("old_6")).toBeUndefined();
    expect(await runs.get("old_7")).toBeDefined();
  });
});
