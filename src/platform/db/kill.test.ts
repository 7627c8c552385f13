import { afterEach, expect, test } from "vitest";
import { describeOnEngines } from "../../../test/harness/db/store.ts";
import { addCounter, countOf, openDemo } from "../../../test/harness/db/store-demo.ts";
import { StoreProcess } from "../../../test/harness/db/store-processes.ts";
import { loadSqlite } from "./sqlite/library.ts";
import type { Place } from "./types.ts";

async function integrity(place: Place): Promise<unknown> {
  if (!("file" in place)) return "ok";
  const { DatabaseSync } = await loadSqlite();
  const handle = new DatabaseSync(place.file);
  try {
    return Object.values(Object(handle.prepare("pragma integrity_check").all()[0]))[0];
  } finally {
    handle.close();
  }
}

describeOnEngines("kill -9", (engine) => {
  const started: StoreProcess[] = [];
  async function start(): Promise<StoreProcess> {
    const process = await StoreProcess.start();
    started.push(process);
    return process;
  }
  afterEach(() => Promise.all(started.splice(0).map((process) => process.kill())));

  test("during writes: whatever was acknowledged is there", async () => {
    const place = await engine.fresh();
    const rounds = engine.name === "sqlite" ? 4 : 2;
    const acknowledged: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const writers = await Promise.all([start(), start()]);
      for (const [index, writer] of writers.entries()) {
        writer.begin({ job: "write-on", place, from: (2 * round + index) * 1_000_000 });
      }
      await Promise.all(writers.map((writer) => writer.printed(25 * (round + 1))));
      for (const writer of writers) acknowledged.push(...(await writer.kill()));
      expect(await integrity(place)).toBe("ok");
    }
    const db = openDemo(place);
    const rows = await db.read((reads) => reads.selectFrom("counter").select("id").execute());
    await db.close();
    const visible = new Set(rows.map((row) => row.id));
    expect(acknowledged.length).toBeGreaterThan(50);
    expect(acknowledged.filter((id) => !visible.has(id))).toEqual([]);
  });

  test("in the middle of changes that share a commit: none of them is there", async () => {
    const place = await engine.fresh();
    const process = await start();
    process.begin({ job: "stop-in-group", place });
    await process.printed(1);
    await process.kill();
    expect(await integrity(place)).toBe("ok");
    const db = openDemo(place);
    expect(await db.read((reads) => reads.selectFrom("counter").selectAll().execute())).toEqual([]);
    await addCounter(db, "first");
    expect(await countOf(db, "first")).toBe(0);
    await db.close();
  });

  test("in the middle of a migration: the next start finishes it", async () => {
    const place = await engine.fresh();
    const process = await start();
    process.begin({ job: "stop-in-migration", place });
    await process.printed(1);
    expect(await process.kill()).toEqual(["in the middle"]);
    expect(await integrity(place)).toBe("ok");
    const db = openDemo(place);
    await addCounter(db, "c");
    expect(await countOf(db, "c")).toBe(0);
    expect(await db.read((reads) => reads.selectFrom("note").selectAll().execute())).toEqual([]);
    await db.close();
  });
});
