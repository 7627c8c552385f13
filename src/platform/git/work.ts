import { type Print, printOf, type Seen, seenAt } from "./index/prints.ts";
import { setApart } from "./index/set-apart.ts";
import { refOf, requireCommitId } from "./names/branch-name.ts";
import { textOf } from "./names/raw-names.ts";
import { changesSince, type DiffOrder, diffBetween, diffSince } from "./read/differences.ts";
import { commitOf, headOf, unfinishedIn } from "./read/head.ts";
import { passedOver } from "./read/passed-over.ts";
import { standingOf } from "./read/standing.ts";
import { changesBetween } from "./read/tree-entries.ts";
import { treeHash } from "./read/tree-hash.ts";
import { type Uncommitted, uncommittedIn } from "./read/uncommitted.ts";
import type { Worth } from "./read/unsaved.ts";
import type { RepositoryLocation } from "./run/locate.ts";
import type { GitRunner } from "./run/runner.ts";
import type {
  CommitMade,
  CommitOrder,
  HeadPlace,
  MergeOrder,
  MergeOutcome,
  MergePlan,
  MergeResumed,
  Move,
  Patch,
  Standing,
  TreeChange,
  TreeChanges,
  WorkTree,
} from "./work-model.ts";
import { listWorkTrees } from "./worktrees/work-tree-list.ts";
import { addWorkTree, pruneWorkTrees, removeWorkTree, workTreesFolder } from "./worktrees/work-trees.ts";
import {
  commitsBeyond,
  contains,
  createBranch,
  deleteBranch,
  mergeBase,
  startBranch,
  unmergedCommits,
} from "./write/branches.ts";
import { commit } from "./write/committing.ts";
import { knowsAuthor } from "./write/identity.ts";
import { merge, planMerge, resumeMerge } from "./write/merging.ts";
import { switchTo } from "./write/switching.ts";

/**
 * Everything Forge changes in a repository. As hardened as reading one: nothing of the repository's runs unless a person
 * trusted it, nothing uncommitted is overwritten, and killed at any point it leaves a state that git and a second try know.
 */
export class RepositoryWork {
  readonly location: RepositoryLocation;
  readonly #runner: GitRunner;

  constructor(runner: GitRunner) {
    this.location = runner.location;
    this.#runner = runner;
  }

  head(signal: AbortSignal): Promise<HeadPlace> {
    return headOf(this.#runner, signal);
  }

  /** What a person began here and has not ended: `merge`, `rebase`. */
  get underWay(): string | undefined {
    return unfinishedIn(this.#runner);
  }

  async branchTip(name: string, signal: AbortSignal): Promise<string | undefined> {
    return commitOf(this.#runner, refOf(name), signal);
  }

  /** Makes a branch at HEAD and switches to it; no file is touched. CONFLICT_ERROR where it exists. */
  startBranch(name: string, signal: AbortSignal): Promise<void> {
    return startBranch(this.#runner, name, signal);
  }

  createBranch(name: string, commitId: string, signal: AbortSignal): Promise<void> {
    return createBranch(this.#runner, name, commitId, signal);
  }

  /** CONFLICT_ERROR, naming the files, where anything uncommitted would be overwritten, ignored files included. */
  switchTo(branch: string, signal: AbortSignal): Promise<void> {
    return switchTo(this.#runner, branch, signal);
  }

  /** CONFLICT_ERROR where it has moved since, or some work tree is on it. */
  deleteBranch(name: string, expectedTip: string, signal: AbortSignal): Promise<void> {
    return deleteBranch(this.#runner, name, expectedTip, signal);
  }

  contains(branch: string, commitId: string, signal: AbortSignal): Promise<boolean> {
    return contains(this.#runner, branch, commitId, signal);
  }

  /** The newest commit that both have in their history, where there is one. */
  mergeBase(one: string, other: string, signal: AbortSignal): Promise<string | undefined> {
    return mergeBase(this.#runner, one, other, signal);
  }

  /** Of a commit's own history what none of the others have, merges left out; newest first. */
  commitsBeyond(commitId: string, others: readonly string[], limit: number, signal: AbortSignal): Promise<string[]> {
    return commitsBeyond(this.#runner, commitId, others, limit, signal);
  }

  /** Ids of commits, newest first. */
  unmergedCommits(branch: string, into: string, limit: number, signal: AbortSignal): Promise<string[]> {
    return unmergedCommits(this.#runner, branch, into, limit, signal);
  }

  /** `.forge/worktrees` of the main work tree. */
  get workTreesFolder(): string {
    return workTreesFolder(this.#runner);
  }

  workTrees(signal: AbortSignal): Promise<WorkTree[]> {
    return listWorkTrees(this.#runner, signal);
  }

  /** `folder` is directly in {@link workTreesFolder}, which is made where it is not there. */
  addWorkTree(folder: string, branch: string, commitId: string, signal: AbortSignal): Promise<void> {
    return addWorkTree(this.#runner, folder, branch, commitId, signal);
  }

  /** Why it was left, one reason each: what would be lost. Empty where it is gone. The branch stays in any case. */
  removeWorkTree(folder: string, signal: AbortSignal, worth: Worth = {}): Promise<string[]> {
    return removeWorkTree(this.#runner, folder, signal, worth);
  }

  /** All that a work tree would take along with it, but ignored files: changed, staged, and repositories inside it. */
  uncommitted(signal: AbortSignal): Promise<Uncommitted[]> {
    return uncommittedIn(this.#runner, signal);
  }

  /** Has git forget work trees of Forge's whose folders are gone; returns their paths. */
  pruneWorkTrees(signal: AbortSignal): Promise<string[]> {
    return pruneWorkTrees(this.#runner, signal);
  }

  standing(path: string, signal: AbortSignal): Promise<Standing> {
    return standingOf(this.#runner, path, signal);
  }

  /** What is here and git does not look at: ignored files, ignored folders with a slash at the end, tracked files hidden from it. */
  passedOver(signal: AbortSignal): Promise<string[]> {
    return passedOver(this.#runner, signal);
  }

  /** Whether git knows whose commits these would be. */
  knowsAuthor(signal: AbortSignal): Promise<boolean> {
    return knowsAuthor(this.#runner, signal);
  }

  /** The work tree against a commit, untracked files included, ignored ones not; `aside` counts as HEAD has it. */
  changes(since: string, limit: number, signal: AbortSignal, aside: readonly TreeChange[] = []): Promise<TreeChanges> {
    return changesSince(this.#runner, { since, limit, aside }, signal);
  }

  /** `aside`: changes against HEAD that are to stay out of it. */
  diff(options: DiffOrder, signal: AbortSignal): Promise<Patch> {
    return diffSince(this.#runner, options, signal);
  }

  /** From one commit to another. */
  diffBetween(options: { from: string; to: string; maxBytes: number }, signal: AbortSignal): Promise<Patch> {
    return diffBetween(this.#runner, options, signal);
  }

  /** Whether git still holds it: what no branch leads to is cleaned up after a while. */
  async hasCommit(commitId: string, signal: AbortSignal): Promise<boolean> {
    return (await commitOf(this.#runner, requireCommitId(commitId), signal)) !== undefined;
  }

  /** What a file is now, committed or not: by it one sees whether somebody has changed it since. */
  print(path: string): Promise<Print> {
    return printOf(this.#runner, path);
  }

  /** The same, with what a commit needs to tell whether it takes these very bytes; `commitId`: any of the repository's. */
  seen(path: string, commitId: string): Promise<Seen> {
    return seenAt(this.#runner, path, commitId.length);
  }

  /** Those of these files that somebody has staged as something else than they are, or given another mode than git has of them. */
  setApart(paths: ReadonlySet<string>, signal: AbortSignal): Promise<Set<string>> {
    return setApart(this.#runner, paths, signal);
  }

  /** Commits exactly these files as they are in the work tree. */
  commit(order: CommitOrder, signal: AbortSignal): Promise<CommitMade> {
    return commit(this.#runner, order, signal);
  }

  planMerge(base: string, branch: string, signal: AbortSignal): Promise<MergePlan> {
    return planMerge(this.#runner, base, branch, signal);
  }

  /** For a merge that was cut off after it had told of this move. */
  resumeMerge(base: string, move: Move, signal: AbortSignal): Promise<MergeResumed> {
    return resumeMerge(this.#runner, base, move, signal);
  }

  /** A branch that is merged already counts as merged. */
  merge(order: MergeOrder, signal: AbortSignal): Promise<MergeOutcome> {
    return merge(this.#runner, order, signal);
  }

  /** The names that differ between two commits. */
  async changedBetween(from: string, to: string, signal: AbortSignal): Promise<string[]> {
    const changes = await changesBetween(this.#runner, requireCommitId(from), requireCommitId(to), signal);
    return changes.map(({ name }) => textOf(name));
  }

  /** The id of a commit's tree. */
  treeOf(commitId: string, signal: AbortSignal): Promise<string> {
    return this.#runner.line("rev-parse", ["--verify", `${requireCommitId(commitId)}^{tree}`], { signal });
  }

  /** The id of the tree that committing everything here would make. */
  treeHash(signal: AbortSignal): Promise<string> {
    return treeHash(this.#runner, signal);
  }
}
