import { HeldLease, type Lease, Leases } from "../../../src/commons/leases/index.ts";
import { ForgeError } from "../../../src/kernel/errors.ts";
import { type Database, openDatabase } from "../../../src/platform/db/database.ts";
import type { Place } from "../../../src/platform/db/types.ts";
import { type LeaseTestTables, leaseTestMigrations } from "./lease-tables.ts";

/** The jobs of a process in the lease tests; every answer is text. */
export type LeaseJob =
  | { job: "open"; place: Place; clockOffByMs: number }
  | { job: "claim" | "wait" | "hold"; name: string; ttlMs: number }
  | { job: "write"; name: string }
  | { job: "lost" }
  | { job: "take-turns"; name: string; times: number };

let database: Database<LeaseTestTables> | undefined;
let lease: Lease | undefined;
let held: HeldLease | undefined;
const holder = `process ${process.pid}`;
const patience = { waitMs: 120_000, signal: new AbortController().signal };

async function perform(job: LeaseJob): Promise<string> {
  if (job.job === "open") {
    const { now } = Date;
    Date.now = () => now() + job.clockOffByMs;
    database = openDatabase<LeaseTestTables>(job.place, leaseTestMigrations);
    return "open";
  }
  if (!database) throw new Error("open comes first");
  const leases = new Leases(database.forTables<unknown>());
  switch (job.job) {
    case "claim":
      lease = await leases.claim({ ...job, holder });
      return lease ? `token ${lease.token}` : "taken";
    case "wait":
      lease = await leases.wait({ ...job, holder }, patience);
      return `token ${lease.token}`;
    case "hold": {
      const claimedAt = performance.now();
      lease = await leases.wait({ ...job, holder }, patience);
      held = new HeldLease(leases, lease, claimedAt);
      return `token ${lease.token}`;
    }
    case "write":
      return write(database, leases, job.name, holder).then(
        () => "written",
        (error: unknown) => (error instanceof ForgeError ? error.code : String(error)),
      );
    case "lost":
      if (held && !held.lost.aborted)
        await new Promise((resolve) => held?.lost.addEventListener("abort", resolve, { once: true }));
      return "lost";
    case "take-turns":
      return takeTurns(database, leases, job.name, job.times);
  }
}

function write(db: Database<LeaseTestTables>, leases: Leases, name: string, by: string): Promise<unknown> {
  return db.transaction(async (tx) => {
    await leases.guard(tx, name, lease?.token ?? 0);
    await tx
      .insertInto("deed")
      .values({ name, by, token: lease?.token ?? 0 })
      .execute();
  });
}

/** Enters, checks that no one else is in, leaves; separate steps, so that only the lease keeps others out. */
async function takeTurns(db: Database<LeaseTestTables>, leases: Leases, name: string, times: number): Promise<string> {
  for (let turn = 0; turn < times; turn++) {
    lease = await leases.wait({ name, holder, ttlMs: 60_000 }, patience);
    await write(db, leases, name, `${holder} in`);
    await new Promise((resolve) => setImmediate(resolve));
    await write(db, leases, name, `${holder} out`);
    await leases.release(lease);
  }
  return "done";
}

process.on("message", (job: LeaseJob) => {
  perform(job).then(
    (answer) => process.send?.({ answer }),
    (error: unknown) => process.send?.({ answer: `failed: ${error}` }),
  );
});
process.on("disconnect", () => process.exit());
process.send?.({ answer: "ready" });
