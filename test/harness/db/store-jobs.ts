import { writeSync } from "node:fs";
import { ForgeError } from "../../../src/kernel/errors.ts";
import type { Database } from "../../../src/platform/db/database.ts";
import { updateRevised } from "../../../src/platform/db/revision.ts";
import type { Migration, Place } from "../../../src/platform/db/types.ts";
import { type DemoTables, demoMigrations, openDemo } from "./store-demo.ts";

/** The jobs of a process in the store tests. */
export type Job =
  | { job: "migrate"; place: Place }
  | { job: "increment"; place: Place; times: number }
  | { job: "increment-revised"; place: Place; times: number }
  | { job: "write-on"; place: Place; from: number }
  | { job: "stop-in-group"; place: Place }
  | { job: "stop-in-migration"; place: Place };

export async function perform(job: Job): Promise<number> {
  const db = openDemo(job.place, job.job === "stop-in-migration" ? migrationsThatHang() : demoMigrations);
  try {
    switch (job.job) {
      case "migrate":
        return (await db.read((reads) => reads.selectFrom("note").selectAll().execute())).length;
      case "increment":
        for (let done = 0; done < job.times; done++) await increment(db);
        return job.times;
      case "increment-revised":
        return await incrementRevised(db, job.times);
      case "write-on":
        return await writeOn(db, job.from);
      case "stop-in-group":
        return await stopInGroup(db);
      case "stop-in-migration":
        await db.read((reads) => reads.selectFrom("note").selectAll().execute());
        return 0;
    }
  } finally {
    await db.close();
  }
}

/** Reads, lets others run, writes: without isolation, updates get lost. */
function increment(db: Database<DemoTables>): Promise<void> {
  return db.transaction(async (tx) => {
    const { count } = await tx.selectFrom("counter").select("count").where("id", "=", "c").executeTakeFirstOrThrow();
    await new Promise((resolve) => setImmediate(resolve));
    await tx
      .updateTable("counter")
      .set({ count: count + 1 })
      .where("id", "=", "c")
      .execute();
  });
}

/** Reads outside the transaction, as a remote caller does; a refused write is repeated with the new revision. */
async function incrementRevised(db: Database<DemoTables>, times: number): Promise<number> {
  let refused = 0;
  for (let done = 0; done < times; ) {
    const note = await db.read((reads) =>
      reads.selectFrom("note").selectAll().where("id", "=", "n").executeTakeFirstOrThrow(),
    );
    const text = String(Number(note.text) + 1);
    try {
      await db.transaction((tx) =>
        updateRevised(tx, {
          table: "note",
          key: { id: "n" },
          expected: note.revision,
          changes: { text },
          what: "note n",
        }),
      );
      done++;
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code !== "CONFLICT_ERROR") throw error;
      refused++;
    }
  }
  return refused;
}

/** Adds rows forever and prints each once it is committed. */
async function writeOn(db: Database<DemoTables>, from: number): Promise<number> {
  for (let number = from; ; number++) {
    await db.transaction((tx) =>
      tx
        .insertInto("counter")
        .values({ id: `row-${number}`, count: number })
        .execute(),
    );
    writeSync(1, `row-${number}\n`);
  }
}

/** Several changes at once. The last prints that it was reached and never ends. */
async function stopInGroup(db: Database<DemoTables>): Promise<number> {
  // On a slow machine too they are to share a commit.
  performance.now = () => 0;
  const add = (id: string) =>
    db.transaction(async (tx) => {
      await tx.insertInto("counter").values({ id, count: 0 }).execute();
      if (id !== "last") return;
      writeSync(1, "in the middle\n");
      await new Promise((resolve) => setTimeout(resolve, 20_000));
    });
  await Promise.all(["first", "second", "last"].map(add));
  return 0;
}

/** The second step changes something, prints so and never ends. */
function migrationsThatHang(): Migration[] {
  return demoMigrations.map((migration) => ({
    ...migration,
    async up(db, engine) {
      await migration.up(db, engine);
      if (migration.id < 2) return;
      writeSync(1, "in the middle\n");
      await new Promise((resolve) => setTimeout(resolve, 600_000));
    },
  }));
}
