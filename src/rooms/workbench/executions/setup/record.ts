import { join } from "node:path";
import { ForgeError } from "../../../../kernel/errors.ts";
import { entryAt } from "../../../../platform/files/entry.ts";
import type { Execution } from "../../model/execution-model.ts";
import type { Actor } from "../../model/services.ts";
import { type ExecutionDeps, isInPlace } from "../deps.ts";
import type { NewEvent } from "../execution-store.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { findSetupLeftovers, type SetupLeftovers } from "./leftovers.ts";

/** A set-up command that takes longer is ended. */
export const maxSetupMs = 20 * 60_000;

type SetupRecordDeps = { parts: ExecutionDeps; journal: Timeline; by: Actor };

/** Keeps in mind what the set-up command left, and has the timeline tell of it. */
export async function recordSetup(
  { parts: { store }, journal, by }: SetupRecordDeps,
  { id }: Execution,
  left: SetupLeftovers,
  { message, details }: Pick<NewEvent, "message" | "details">,
): Promise<void> {
  const { paths, total, marks } = left;
  const found = total === 0 ? {} : { left: paths.slice(0, 100), left_total: total };
  await journal.change(by, id, async ({ seq }, tx) => {
    if (marks.length > 0) await store.putLeftovers(tx, seq, marks);
    return { events: [{ kind: "setup", message, details: { ...details, ...found } }] };
  });
}

/** What it had made by then must not keep the work tree, which nobody has been told of. */
export async function recordInterruptedSetup(
  here: SetupRecordDeps,
  execution: Execution,
  signal: AbortSignal,
): Promise<void> {
  const left = await findSetupLeftovers(here.parts, execution, signal);
  await recordSetup(here, execution, left, { message: "the set-up command was cut off" });
}

/** The same where the process was killed with it, and some time may have gone by. */
export async function recordKilledSetup(
  here: SetupRecordDeps,
  execution: Execution,
  signal: AbortSignal,
): Promise<void> {
  const { store, settings: ways, projectRoot } = here.parts;
  if (isInPlace(execution) || !entryAt(execution.root) || !(await ways.hasSetupCommand(projectRoot))) return;
  const isNoted = await store.database.read(async (db) => {
    const row = await store.find(db, execution.id);
    return row === undefined || (await store.listEventsOfKinds(db, row.seq, ["setup"], 1)).length > 0;
  });
  if (isNoted) return;
  try {
    const left = await findSetupLeftovers(here.parts, execution, signal);
    if (isFromSetup(here.parts, execution, left))
      await recordSetup(here, execution, left, { message: "the set-up command was cut off" });
  } catch (error) {
    // A work tree that was not made whole yet had no set-up; what is to become of it is seen without this.
    if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
  }
}

/** What came later than a set-up can last, somebody else has made. */
function isFromSetup(
  { now }: ExecutionDeps,
  { root, startedAt }: Execution,
  { paths, total, unknown, marks }: SetupLeftovers,
) {
  const until = startedAt + maxSetupMs;
  if (now() <= until) return true;
  const hasMoreThanFiles = marks.length > total - unknown;
  return !hasMoreThanFiles && paths.every((path) => (entryAt(join(root, path))?.ctimeMs ?? 0) <= until);
}
