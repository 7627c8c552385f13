import { ForgeError } from "../../../kernel/errors.ts";
import { refOf, requireCommitId } from "../names/branch-name.ts";
import { commitOf, requireNothingUnfinished, requireTip } from "../read/head.ts";
import { gitFailure } from "../run/errors.ts";
import { findHeldLock } from "../run/locks.ts";
import type { GitRunner } from "../run/runner.ts";
import { describeCheckout, findCheckouts } from "../worktrees/work-tree-list.ts";

/** Makes a branch where HEAD is and switches to it; no file is touched. */
export async function startBranch(at: GitRunner, name: string, signal: AbortSignal): Promise<void> {
  requireNothingUnfinished(at);
  const ref = refOf(name);
  const [runner, commit] = await Promise.all([at.withDisarmedConfig(signal), commitOf(at, "HEAD", signal)]);
  if (commit === undefined)
    throw new ForgeError("CONFLICT_ERROR", `${runner.workTree} has no commit yet that a branch could start at.`, {
      details: { branch: name },
      next: ["The user has to make the first commit. Then try again."],
    });
  await createBranch(runner, name, commit, signal);
  await runner.must("symbolic-ref", ["-m", `forge: switching to ${name}`, "HEAD", ref], { signal });
}

/** Throws a CONFLICT_ERROR where there is one of that name, or one whose name is a part of it. */
export async function createBranch(
  runner: GitRunner,
  name: string,
  commit: string,
  signal: AbortSignal,
): Promise<void> {
  const ref = refOf(name);
  const mustNotExist = "";
  const args = ["-m", "forge: created", "--no-deref", ref, requireCommitId(commit), mustNotExist];
  const result = await runner.run("update-ref", args, { signal });
  if (result.code === 0) return;
  const said = result.stderr.toString();
  if (said.includes("cannot lock ref") && findHeldLock(said) === undefined)
    throw await branchTaken(runner, name, signal);
  throw gitFailure("update-ref", runner.workTree, result);
}

async function branchTaken(runner: GitRunner, name: string, signal: AbortSignal): Promise<ForgeError> {
  const same = (await commitOf(runner, refOf(name), signal)) !== undefined;
  const why = same ? "already exists" : "conflicts with another branch whose name is a part of it";
  return new ForgeError("CONFLICT_ERROR", `The branch ${name} ${why}.`, {
    details: { branch: name },
    next: ["Choose another name."],
  });
}

/** Deletes a branch that is still where it was seen. Nothing is deleted that some work tree is on. */
export async function deleteBranch(
  runner: GitRunner,
  name: string,
  expectedTip: string,
  signal: AbortSignal,
): Promise<void> {
  const ref = refOf(name);
  const place = (await findCheckouts(runner, name, signal))[0];
  if (place)
    throw new ForgeError(
      "CONFLICT_ERROR",
      `The branch ${name} is in use ${describeCheckout(place)}, so it was not deleted.`,
      {
        details: { branch: name, workTree: place.path },
        next: ["Switch that work tree to another branch first."],
      },
    );
  const args = ["-m", "forge: deleted", "--no-deref", "-d", ref, requireCommitId(expectedTip)];
  const result = await runner.run("update-ref", args, { signal });
  if (result.code === 0) return;
  const tip = await requireTip(runner, name, signal);
  if (tip !== expectedTip)
    throw new ForgeError("CONFLICT_ERROR", `The branch ${name} has moved to ${tip}, so it was not deleted.`, {
      details: { branch: name, expected: expectedTip, found: tip },
      next: ["Check what was committed to it since."],
    });
  throw gitFailure("update-ref", runner.workTree, result);
}

/** Whether a commit is in a branch. One that is gone altogether is in none. */
export async function contains(runner: GitRunner, branch: string, commit: string, signal: AbortSignal) {
  const [tip, known] = await Promise.all([
    requireTip(runner, branch, signal),
    commitOf(runner, requireCommitId(commit), signal),
  ]);
  return known !== undefined && isAncestor(runner, known, tip, signal);
}

export async function isAncestor(runner: GitRunner, older: string, newer: string, signal: AbortSignal) {
  const result = await runner.run("merge-base", ["--is-ancestor", older, newer], { signal });
  if (result.code === 0 || result.code === 1) return result.code === 0;
  throw gitFailure("merge-base", runner.workTree, result);
}

/** The newest commit that both have in their history; undefined where their histories share none. */
export async function mergeBase(runner: GitRunner, one: string, other: string, signal: AbortSignal) {
  const result = await runner.run("merge-base", [requireCommitId(one), requireCommitId(other)], { signal });
  if (result.code === 1) return undefined;
  if (result.code !== 0) throw gitFailure("merge-base", runner.workTree, result);
  return result.stdout.toString().trim();
}

/** The newest commits of a branch that the other does not have. */
export async function unmergedCommits(
  runner: GitRunner,
  branch: string,
  into: string,
  limit: number,
  signal: AbortSignal,
): Promise<string[]> {
  const [tip, base] = await Promise.all([requireTip(runner, branch, signal), requireTip(runner, into, signal)]);
  const most = `--max-count=${Math.max(0, Math.trunc(limit))}`;
  return runner.records("log", ["-z", most, "--no-color", "--format=%H", tip, `^${base}`, "--"], { signal });
}

/** The newest commits that a commit has and none of the others, merges left out. */
export function commitsBeyond(
  runner: GitRunner,
  commit: string,
  others: readonly string[],
  limit: number,
  signal: AbortSignal,
): Promise<string[]> {
  const known = others.map((other) => `^${requireCommitId(other)}`);
  const args = ["-z", "--no-merges", `--max-count=${limit}`, "--no-color", "--format=%H"];
  return runner.records("log", [...args, requireCommitId(commit), ...known, "--"], { signal });
}

/**
 * Whether a commit is in the history of one of the others. A merge counts like any commit: its tree can be anything, whatever its
 * parents are.
 */
export async function isInHistory(
  runner: GitRunner,
  commit: string,
  others: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const known = others.map((other) => `^${requireCommitId(other)}`);
  const args = ["-z", "--max-count=1", "--no-color", "--format=%H", requireCommitId(commit), ...known, "--"];
  return (await runner.records("log", args, { signal })).length === 0;
}
