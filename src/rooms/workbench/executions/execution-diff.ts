import type { Call } from "../../../kernel/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Execution, ExecutionDiff } from "../model/execution-model.ts";
import type { ExecutionDeps } from "./deps.ts";
import { foreignFolder } from "./errors.ts";
import { listPaths } from "./ownership/change-ownership.ts";
import { findOwnBase } from "./ownership/execution-base.ts";
import { isOfThisProject, requireOwnFolder } from "./ownership/execution-folder.ts";
import { readExecutionWork } from "./ownership/execution-work.ts";

/** A task is not worked on more often on one branch. */
const maxExecutionsOfTask = 200;

/**
 * What an execution has changed since it began: as its folder is while it is open, without what is or may be somebody else's,
 * and as its commits are once it has ended.
 */
export async function diffExecution(
  parts: ExecutionDeps,
  execution: Execution,
  maxBytes: number,
  asking: Pick<Call, "principal" | "signal">,
): Promise<ExecutionDiff> {
  const { signal } = asking;
  if (execution.status !== "running") return diffEndedExecution(parts, execution, maxBytes, signal);
  requireOwnFolder(parts, execution);
  const { since, whose, persons } = await readExecutionWork(parts, execution, asking);
  const apart = [...whose.others, ...whose.leftovers];
  const aside = [...persons, ...apart];
  const patch = await parts.workFor(execution.root).diff({ since, aside, maxBytes }, signal);
  return { ...patch, aside: listPaths(apart) };
}

async function diffEndedExecution(
  parts: ExecutionDeps,
  execution: Execution,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ExecutionDiff> {
  const { baseCommit } = execution;
  const work = parts.workFor(parts.projectRoot);
  const to = execution.commit ?? (await findOwnTip(parts, execution, signal));
  if (to === undefined || to === baseCommit) throw nothingCommitted(execution);
  for (const commit of [baseCommit, to]) {
    if (await work.hasCommit(commit, signal)) continue;
    throw isOfThisProject(parts, execution)
      ? missingCommit(execution, commit)
      : foreignFolder(execution, parts.projectRoot);
  }
  const from = await findOwnBase(parts, execution, to, signal);
  return { ...(await work.diffBetween({ from, to, maxBytes }, signal)), aside: [] };
}

/**
 * Where its branch is: an assistant may have committed with git alone, past Forge. Undefined where a later execution of the task
 * has taken the name.
 */
async function findOwnTip({ store, workFor, projectRoot }: ExecutionDeps, execution: Execution, signal: AbortSignal) {
  const { id, branch, blockId: block, taskId: task } = execution;
  if (branch === undefined) return undefined;
  const onBranch = await store.database.read(async (db) => {
    const rows = await store.listPage(db, { block, task, before: undefined, limit: maxExecutionsOfTask });
    return rows.filter((row) => row.branch === branch);
  });
  return onBranch[0]?.id === id ? workFor(projectRoot).branchTip(branch, signal) : undefined;
}

function nothingCommitted({ id, status }: Execution): ForgeError {
  return new ForgeError("NOT_FOUND", `Nothing was committed in ${id}, which is ${status}, so git has no diff of it.`, {
    details: { execution_id: id, status },
    next: [
      `\`forge run diff ${id} --stat\` lists the files that were changed in it.`,
      `\`forge run show ${id}\` tells what was kept when it ended, and where.`,
    ],
  });
}

function missingCommit({ id, branch }: Execution, commit: string): ForgeError {
  const on = branch === undefined ? "no branch leads to it any more" : `it was on ${branch}, which is gone`;
  return new ForgeError(
    "NOT_FOUND",
    `git does not have the commit ${commit.slice(0, 12)} of ${id} any more: ${on}, and git has cleaned up since.`,
    {
      details: { execution_id: id, commit, ...(branch !== undefined && { branch }) },
      next: [
        `\`forge run diff ${id} --stat\` still lists the files that were changed in it.`,
        "A clone that has the commit can show it: fetch from there, then ask again.",
      ],
    },
  );
}
