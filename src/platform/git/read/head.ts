import { join } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { entryAt } from "../../files/entry-at.ts";
import { refOf, requireCommitId } from "../names/branch-name.ts";
import { exactText } from "../names/raw-names.ts";
import { gitFailure } from "../run/errors.ts";
import type { GitRunner } from "../run/runner.ts";
import type { HeadState } from "../work-model.ts";

const heads = "refs/heads/";

export async function headOf(runner: GitRunner, signal: AbortSignal): Promise<HeadState> {
  const [symbolic, commit] = await Promise.all([
    runner.run("symbolic-ref", ["--quiet", "HEAD"], { signal }),
    commitOf(runner, "HEAD", signal),
  ]);
  if (symbolic.code !== 0 && symbolic.code !== 1) throw gitFailure("symbolic-ref", runner.workTree, symbolic);
  const ref = exactText(symbolic.stdout.toString("latin1").replace(/\n$/, "")) ?? "";
  return { branch: ref.startsWith(heads) ? ref.slice(heads.length) : undefined, commit };
}

/** The commit a ref leads to; undefined where there is none. */
export async function commitOf(runner: GitRunner, ref: string, signal: AbortSignal): Promise<string | undefined> {
  const args = ["--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
  const result = await runner.run("rev-parse", args, { signal });
  if (result.code === 0) return result.stdout.toString().trim();
  if (result.code === 1) return undefined;
  throw gitFailure("rev-parse", runner.workTree, result);
}

/** Whether git still has it: commits that no branch leads to are removed after a while. */
export async function hasCommit(runner: GitRunner, commit: string, signal: AbortSignal): Promise<boolean> {
  return (await commitOf(runner, requireCommitId(commit), signal)) !== undefined;
}

/** The commit that a branch is at; undefined where there is no such branch. */
export async function branchTip(runner: GitRunner, branch: string, signal: AbortSignal): Promise<string | undefined> {
  return commitOf(runner, refOf(branch), signal);
}

export async function requireTip(runner: GitRunner, branch: string, signal: AbortSignal): Promise<string> {
  const tip = await branchTip(runner, branch, signal);
  if (tip !== undefined) return tip;
  throw new ForgeError("NOT_FOUND", `Branch ${branch} not found in ${runner.workTree}.`, {
    details: { branch, workTree: runner.workTree },
    next: ["Run `git branch --all` to see the branches."],
  });
}

const unfinished: [name: string, what: string][] = [
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["sequencer", "cherry-pick or revert"],
];

/** What a person has started in this work tree and not finished: `merge`, `rebase`. */
export function unfinishedOperation({ location }: GitRunner): string | undefined {
  return unfinished.find(([name]) => entryAt(join(location.gitDir, name)))?.[1];
}

/** Throws while a person is in the middle of a merge or rebase: our changes would get mixed up with it. */
export function requireNothingUnfinished(runner: GitRunner): void {
  const what = unfinishedOperation(runner);
  if (what === undefined) return;
  throw new ForgeError("CONFLICT_ERROR", `A ${what} is in progress in ${runner.workTree}, so nothing was changed.`, {
    details: { workTree: runner.workTree, underWay: what },
    next: [`The user has to finish the ${what} there (\`git status\` shows how). Then try again.`],
  });
}
