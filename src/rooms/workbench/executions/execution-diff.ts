import type { Call } from "../../../kernel/calls/call.ts";
import type { Execution, ExecutionDiff } from "../model/execution-model.ts";
import { missingCommit, nothingCommitted } from "./errors.ts";
import type { ExecutionDeps } from "./execution-deps.ts";
import { listPaths } from "./ownership/change-ownership.ts";
import { foreignFolder } from "./ownership/errors.ts";
import { findOwnBase } from "./ownership/execution-base.ts";
import { isOfThisProject, requireOwnFolder } from "./ownership/execution-folder.ts";
import { readExecutionWork } from "./ownership/read-execution-work.ts";

/** A task is not executed more often on one branch. */
const maxExecutionsOfTask = 200;

/**
 * What an execution has changed since it started. While it is open: its folder, without what is or may be someone else's. After it
 * has ended: its commits.
 */
export async function diffExecution(
  deps: ExecutionDeps,
  execution: Execution,
  maxBytes: number,
  caller: Pick<Call, "principal" | "signal">,
): Promise<ExecutionDiff> {
  const { signal } = caller;
  if (execution.status !== "running") return diffEndedExecution(deps, execution, maxBytes, signal);
  requireOwnFolder(deps, execution);
  const { since, owned } = await readExecutionWork(deps, execution, caller);
  const apart = [...owned.others, ...owned.leftovers];
  const patch = await deps
    .workFor(execution.root)
    .changes.diff({ since, aside: [...owned.user, ...apart], maxBytes }, signal);
  return { ...patch, aside: listPaths(apart) };
}

async function diffEndedExecution(
  deps: ExecutionDeps,
  execution: Execution,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ExecutionDiff> {
  const { baseCommit } = execution;
  const work = deps.workFor(deps.projectRoot);
  const to = execution.commit ?? (await findOwnTip(deps, execution, signal));
  if (to === undefined || to === baseCommit) throw nothingCommitted(execution);
  for (const commit of [baseCommit, to]) {
    if (await work.commits.has(commit, signal)) continue;
    throw isOfThisProject(deps, execution)
      ? missingCommit(execution, commit)
      : foreignFolder(execution, deps.projectRoot);
  }
  const from = await findOwnBase(deps, execution, to, signal);
  return { ...(await work.changes.diffBetween({ from, to, maxBytes }, signal)), aside: [] };
}

/** The tip of its branch: an assistant may have committed with git itself. Undefined if a later execution uses the branch name. */
async function findOwnTip({ store, workFor, projectRoot }: ExecutionDeps, execution: Execution, signal: AbortSignal) {
  const { id, branch, blockId: block, taskId: task } = execution;
  if (branch === undefined) return undefined;
  const onBranch = await store.database.read(async (db) => {
    const rows = await store.listPage(db, { block, task, before: undefined, limit: maxExecutionsOfTask });
    return rows.filter((row) => row.branch === branch);
  });
  return onBranch[0]?.id === id ? workFor(projectRoot).branches.tip(branch, signal) : undefined;
}
