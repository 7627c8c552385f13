import { join } from "node:path";
import { ForgeError } from "../../../../kernel/errors.ts";
import { entryAt } from "../../../../platform/files/entry.ts";
import type { Execution } from "../../model/execution-model.ts";
import type { By } from "../../model/services.ts";
import { isInPlace, type Parts } from "../deps.ts";
import type { NewEvent } from "../execution-store.ts";
import type { Journal } from "../timeline/timeline.ts";
import { type LeftBySetUp, leftBySetUp } from "./leftovers.ts";

/** A set-up command that takes longer is ended. */
export const longestSetUpMs = 20 * 60_000;

type Here = { parts: Parts; journal: Journal; by: By };

/** Keeps in mind what the set-up command left, and has the timeline tell of it. */
export async function noteSetUp(
  { parts: { store }, journal, by }: Here,
  { id }: Execution,
  left: LeftBySetUp,
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
export async function noteCutOff(here: Here, execution: Execution, signal: AbortSignal): Promise<void> {
  const left = await leftBySetUp(here.parts, execution, signal);
  await noteSetUp(here, execution, left, { message: "the set-up command was cut off" });
}

/** The same where the process was killed with it, and some time may have gone by. */
export async function noteKilled(here: Here, execution: Execution, signal: AbortSignal): Promise<void> {
  const { store, ways, projectRoot } = here.parts;
  if (isInPlace(execution) || !entryAt(execution.root) || !(await ways.hasSetUp(projectRoot))) return;
  const isNoted = await store.database.read(async (db) => {
    const row = await store.find(db, execution.id);
    return row === undefined || (await store.eventsOf(db, row.seq, ["setup"], 1)).length > 0;
  });
  if (isNoted) return;
  try {
    const left = await leftBySetUp(here.parts, execution, signal);
    if (isOfSetUp(here.parts, execution, left))
      await noteSetUp(here, execution, left, { message: "the set-up command was cut off" });
  } catch (error) {
    // A work tree that was not made whole yet had no set-up; what is to become of it is seen without this.
    if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
  }
}

/** What came later than a set-up can last, somebody else has made. */
function isOfSetUp({ now }: Parts, { root, startedAt }: Execution, { paths, total, unknown, marks }: LeftBySetUp) {
  const until = startedAt + longestSetUpMs;
  if (now() <= until) return true;
  const hasMoreThanFiles = marks.length > total - unknown;
  return !hasMoreThanFiles && paths.every((path) => (entryAt(join(root, path))?.ctimeMs ?? 0) <= until);
}
