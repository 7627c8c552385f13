import type { Execution } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../deps.ts";

const maxCommits = 50;

type BaseDeps = Pick<ExecutionDeps, "store" | "workFor" | "projectRoot">;

/**
 * What the commits of an execution up to this one are compared with, so that only its own are seen: where it began, or what it
 * has taken over from its base since. Once its branch is merged nothing tells that any more, so commits are noted with it.
 */
export async function findOwnBase(
  here: BaseDeps,
  execution: Execution,
  tip: string,
  signal: AbortSignal,
): Promise<string> {
  const { branch, baseBranch, baseCommit, commit } = execution;
  if (branch === undefined || baseBranch === undefined || tip === baseCommit) return baseCommit;
  const noted = await readNotedBase(here, execution, tip);
  if (noted !== undefined) return noted;
  const work = here.workFor(here.projectRoot);
  const base = await work.branchTip(baseBranch, signal);
  const shared = base === undefined || base === baseCommit ? undefined : await work.mergeBase(base, tip, signal);
  if (shared === undefined || shared === baseCommit) return baseCommit;
  // Its commits are in the base already; where it has none, it has only followed the base.
  if (shared === tip) return commit === undefined ? tip : baseCommit;
  const isOlder = (await work.mergeBase(shared, baseCommit, signal)) === shared;
  if (!isOlder) return shared;
  // The base was set back since; what it had is still not the execution's.
  return (await work.mergeBase(baseCommit, tip, signal)) === baseCommit ? baseCommit : shared;
}

/** What a commit is noted with. */
export async function createBaseNote(here: BaseDeps, execution: Execution, tip: string, signal: AbortSignal) {
  const since = await findOwnBase(here, execution, tip, signal);
  return since === execution.baseCommit ? {} : { since };
}

async function readNotedBase({ store }: BaseDeps, { id }: Execution, tip: string): Promise<string | undefined> {
  const commits = await store.database.read(async (db) => {
    const row = await store.find(db, id);
    return row ? store.listEventsOfKinds(db, row.seq, ["commit"], maxCommits) : [];
  });
  const since = commits.findLast(({ details }) => details["commit"] === tip)?.details["since"];
  return typeof since === "string" ? since : undefined;
}
