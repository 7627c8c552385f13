import type { Execution } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../execution-deps.ts";

const maxCommits = 50;

type BaseDeps = Pick<ExecutionDeps, "store" | "workFor" | "projectRoot">;

/**
 * The commit that an execution's commits up to `tip` are compared with, so that only its own changes are seen: where it started,
 * or what it has merged from its base since. After its branch is merged this can no longer be found, so it is recorded with each
 * commit.
 */
export async function findOwnBase(
  deps: BaseDeps,
  execution: Execution,
  tip: string,
  signal: AbortSignal,
): Promise<string> {
  const { branch, baseBranch, baseCommit, commit } = execution;
  if (branch === undefined || baseBranch === undefined || tip === baseCommit) return baseCommit;
  const noted = await readNotedBase(deps, execution, tip);
  if (noted !== undefined) return noted;
  const work = deps.workFor(deps.projectRoot);
  const base = await work.branches.tip(baseBranch, signal);
  const shared =
    base === undefined || base === baseCommit ? undefined : await work.commits.mergeBase(base, tip, signal);
  if (shared === undefined || shared === baseCommit) return baseCommit;
  // Its commits are in the base already; without commits it has only followed the base.
  if (shared === tip) return commit === undefined ? tip : baseCommit;
  const isOlder = (await work.commits.mergeBase(shared, baseCommit, signal)) === shared;
  if (!isOlder) return shared;
  // The base was reset since; what it had is still not the execution's.
  return (await work.commits.mergeBase(baseCommit, tip, signal)) === baseCommit ? baseCommit : shared;
}

/** What is recorded with a commit. */
export async function createBaseNote(deps: BaseDeps, execution: Execution, tip: string, signal: AbortSignal) {
  const since = await findOwnBase(deps, execution, tip, signal);
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
