import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { RepositoryWork } from "../../../../platform/git/work.ts";
import type { Execution, ExecutionOptions } from "../../model/execution-model.ts";
import type { Task } from "../../model/task-model.ts";
import type { Parts } from "../deps.ts";
import {
  noBranchFree,
  noBranchHere,
  otherInPlace,
  tooManyUntracked,
  treeInUse,
  workTreeNeedsBranch,
} from "../errors.ts";
import { branchNameFor, freeBranchName } from "./branch-name.ts";

const mostUntracked = 10_000;

/** Where a task is going to be worked on. */
export type Where = Pick<Execution, "id" | "root" | "baseCommit" | "untrackedBefore"> & {
  branch: string | undefined;
  baseBranch: string | undefined;
};

function newExecutionId(): string {
  return `exec_${randomBytes(6).toString("hex")}`;
}

/** Decides where, and throws where it cannot be; changes nothing. */
export async function decideWhere(
  parts: Parts,
  work: RepositoryWork,
  task: Task,
  options: ExecutionOptions,
  open: readonly Execution[],
  signal: AbortSignal,
): Promise<Where> {
  if (options.isolation === "worktree" && !options.create_branch) throw workTreeNeedsBranch();
  const id = newExecutionId();
  const [place, branch] = await Promise.all([
    options.isolation === "worktree" ? apart(work, id, open, signal) : inPlace(parts, work, open, signal),
    options.create_branch ? freeBranch(work, branchNameFor(task, id), open, signal) : undefined,
  ]);
  return { id, ...place, branch };
}

/** In a person's own folder: only where nothing of theirs could be mixed up with the task's. */
async function inPlace(
  { git, projectRoot }: Parts,
  work: RepositoryWork,
  open: readonly Execution[],
  signal: AbortSignal,
) {
  refuseSecond(projectRoot, open);
  const [status, passedOver] = await Promise.all([
    git.open(projectRoot).status(mostUntracked, signal),
    work.passedOver(signal),
  ]);
  if (status.commit === undefined) throw noBranchHere("unborn");
  if (status.branch === undefined) throw noBranchHere("detached");
  const { modified, staged, untracked } = status;
  const changed = new Set([...modified.names, ...staged.names]);
  if (changed.size > 0) {
    throw treeInUse({ modified: modified.names, staged: staged.names, total: changed.size });
  }
  if (untracked.omitted > 0) throw tooManyUntracked(untracked.names.length + untracked.omitted);
  const { branch: baseBranch, commit: baseCommit } = status;
  const unseen = passedOver.filter((name) => !name.startsWith(".forge/"));
  const untrackedBefore = [...untracked.names, ...unseen.slice(0, mostUntracked)];
  return { root: projectRoot, baseBranch, baseCommit, untrackedBefore };
}

/** Two tasks in one folder would each have the other's changes. */
export function refuseSecond(root: string, open: readonly Execution[]): void {
  const other = open.find((execution) => execution.root === root);
  if (other) throw otherInPlace(other);
}

async function apart(work: RepositoryWork, id: string, open: readonly Execution[], signal: AbortSignal) {
  const head = await work.head(signal);
  const root = join(work.workTreesFolder, id);
  const baseBranch = baseOf(head.branch, open);
  const baseCommit =
    baseBranch === undefined || baseBranch === head.branch ? head.commit : await work.branchTip(baseBranch, signal);
  if (baseCommit === undefined) throw noBranchHere("unborn");
  return { root, baseBranch, baseCommit, untrackedBefore: [] };
}

/** Where a task is worked on in place, its branch is checked out; others begin from what that one began from. */
function baseOf(checkedOut: string | undefined, open: readonly Execution[]): string | undefined {
  const other = open.find(({ branch }) => branch !== undefined && branch === checkedOut);
  return other ? other.baseBranch : checkedOut;
}

async function freeBranch(
  work: RepositoryWork,
  wanted: string,
  open: readonly Execution[],
  signal: AbortSignal,
): Promise<string> {
  const reserved = new Set(open.map(({ branch }) => branch));
  const isTaken = async (name: string) => reserved.has(name) || (await work.branchTip(name, signal)) !== undefined;
  const name = await freeBranchName(wanted, isTaken);
  if (name === undefined) throw noBranchFree(wanted);
  return name;
}
