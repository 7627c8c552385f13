import { join } from "node:path";
import type { Actor } from "../../../../kernel/calls/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import type { Execution } from "../../model/execution-model.ts";
import { type ExecutionDeps, isInPlace } from "../execution-deps.ts";
import type { NewEvent } from "../execution-store.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { findSetupLeftovers, type SetupLeftovers } from "./leftovers.ts";

/** A set-up command that takes longer is stopped. */
export const maxSetupMs = 20 * 60_000;

const interrupted = { message: "the set-up command was interrupted" };

type SetupRecorder = { deps: ExecutionDeps; timeline: Timeline; by: Actor };

/** Records in the timeline what the set-up command left behind. */
export async function recordSetup(
  { deps: { store }, timeline, by }: SetupRecorder,
  { id }: Execution,
  left: SetupLeftovers,
  { message, details }: Pick<NewEvent, "message" | "details">,
): Promise<void> {
  const { paths, total, marks } = left;
  const found = total === 0 ? {} : { left: paths.slice(0, 100), left_total: total };
  await timeline.change(by, id, async ({ seq }, tx) => {
    if (marks.length > 0) await store.putLeftovers(tx, seq, marks);
    return { events: [{ kind: "setup", message, details: { ...details, ...found } }] };
  });
}

/** What the command had created by then must not keep the work tree, which nobody knows about yet. */
export async function recordInterruptedSetup(
  recorder: SetupRecorder,
  execution: Execution,
  signal: AbortSignal,
): Promise<void> {
  const left = await findSetupLeftovers(recorder.deps, execution, signal);
  await recordSetup(recorder, execution, left, interrupted);
}

/** The same if the process was killed during the set-up, perhaps some time ago. */
export async function recordKilledSetup(
  recorder: SetupRecorder,
  execution: Execution,
  signal: AbortSignal,
): Promise<void> {
  const { store, settings, projectRoot } = recorder.deps;
  if (isInPlace(execution) || !entryAt(execution.root) || !(await settings.hasSetupCommand(projectRoot))) return;
  const isRecorded = await store.database.read(async (db) => {
    const row = await store.find(db, execution.id);
    return row === undefined || (await store.listEventsOfKinds(db, row.seq, ["setup"], 1)).length > 0;
  });
  if (isRecorded) return;
  try {
    const left = await findSetupLeftovers(recorder.deps, execution, signal);
    if (isFromSetup(recorder.deps, execution, left)) await recordSetup(recorder, execution, left, interrupted);
  } catch (error) {
    // An incomplete work tree had no set-up yet; the clean-up deals with it.
    if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
  }
}

/** Files that are newer than a set-up can last were created by someone else. */
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
