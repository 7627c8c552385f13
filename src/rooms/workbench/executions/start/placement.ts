import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Call } from "../../../../kernel/calls/call.ts";
import type { Principal } from "../../../../kernel/principal.ts";
import { requireBranchName } from "../../../../platform/git/names/branch-name.ts";
import type { RepositoryWork } from "../../../../platform/git/work.ts";
import type { Execution, ExecutionOptions } from "../../model/execution-model.ts";
import type { Task } from "../../model/task-model.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import { createBranchName, findFreeBranchName } from "./branch-name.ts";
import {
  folderInUse,
  noBaseBranch,
  noFreeBranchName,
  tooManyUntracked,
  uncommittedChanges,
  worktreeNeedsBranch,
} from "./errors.ts";

const maxUntracked = 10_000;

/** Where a task will be worked on. */
export type Placement = Pick<Execution, "id" | "root" | "baseCommit" | "untrackedBefore"> & {
  branch: string | undefined;
  baseBranch: string | undefined;
};

function createExecutionId(): string {
  return `exec_${randomBytes(6).toString("hex")}`;
}

/** Decides where a task will be worked on, and throws if it cannot be; changes nothing. */
export async function planPlacement(
  deps: ExecutionDeps,
  work: RepositoryWork,
  task: Task,
  options: ExecutionOptions,
  open: readonly Execution[],
  call: Call,
): Promise<Placement> {
  const { principal, signal } = call;
  if (options.isolation === "worktree" && !options.create_branch) throw worktreeNeedsBranch();
  const id = createExecutionId();
  const [place, branch] = await Promise.all([
    options.isolation === "worktree"
      ? placeInWorktree(work, findRoot(work, id, principal), open, signal)
      : placeInProject(deps, work, open, call),
    options.create_branch ? reserveBranchName(work, createBranchName(task, id), open, signal) : undefined,
  ]);
  // A name that a commit or merge would refuse is refused now, before anything is done.
  if (place.baseBranch !== undefined) requireBranchName(place.baseBranch);
  return { id, ...place, branch };
}

/** In the user's own folder: only if nothing of theirs could be confused with the task's. */
async function placeInProject(
  { git, guard, projectRoot }: ExecutionDeps,
  work: RepositoryWork,
  open: readonly Execution[],
  call: Call,
) {
  const { signal } = call;
  const other = findInFolder(projectRoot, open);
  // The error names its task, as others may have.
  if (other) await guard.noteWorkRead(call, [other.id]);
  requireFreeFolder(projectRoot, open);
  const [status, ignored] = await Promise.all([
    git.open(projectRoot).status(maxUntracked, signal),
    work.files.ignored(signal),
  ]);
  if (status.commit === undefined) throw noBaseBranch("unborn");
  if (status.branch === undefined) throw noBaseBranch("detached");
  const { modified, staged, untracked } = status;
  const changed = new Set([...modified.names, ...staged.names]);
  if (changed.size > 0)
    throw uncommittedChanges({ modified: modified.names, staged: staged.names, total: changed.size });
  if (untracked.omitted > 0) throw tooManyUntracked(untracked.names.length + untracked.omitted);
  const { branch: baseBranch, commit: baseCommit } = status;
  const others = ignored.filter((name) => !name.startsWith(".forge/"));
  const untrackedBefore = [...untracked.names, ...others.slice(0, maxUntracked)];
  return { root: projectRoot, baseBranch, baseCommit, untrackedBefore };
}

/** Two tasks in one folder would each commit the other's changes. */
export function requireFreeFolder(root: string, open: readonly Execution[]): void {
  const other = findInFolder(root, open);
  if (other) throw folderInUse(other);
}

function findInFolder(root: string, open: readonly Execution[]): Execution | undefined {
  return open.find((execution) => execution.root === root);
}

/** Outside the project, unless the assistant's own file tools could not follow. */
function findRoot({ workTrees: { places } }: RepositoryWork, id: string, principal: Principal): string {
  return join(principal.isConfinedToProject ? places.inProject : places.apart, id);
}

async function placeInWorktree(work: RepositoryWork, root: string, open: readonly Execution[], signal: AbortSignal) {
  const head = await work.head(signal);
  const baseBranch = findBase(head.branch, open);
  const baseCommit =
    baseBranch === undefined || baseBranch === head.branch ? head.commit : await work.branches.tip(baseBranch, signal);
  if (baseCommit === undefined) throw noBaseBranch("unborn");
  return { root, baseBranch, baseCommit, untrackedBefore: [] };
}

/** If another task's branch is checked out, this one starts from the base of that task. */
function findBase(checkedOut: string | undefined, open: readonly Execution[]): string | undefined {
  const other = open.find(({ branch }) => branch !== undefined && branch === checkedOut);
  return other ? other.baseBranch : checkedOut;
}

async function reserveBranchName(
  work: RepositoryWork,
  wanted: string,
  open: readonly Execution[],
  signal: AbortSignal,
): Promise<string> {
  const reserved = new Set(open.map(({ branch }) => branch));
  const isTaken = async (name: string) => reserved.has(name) || (await work.branches.tip(name, signal)) !== undefined;
  const name = await findFreeBranchName(wanted, isTaken);
  if (name === undefined) throw noFreeBranchName(wanted);
  return name;
}
