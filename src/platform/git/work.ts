import { refOf, requireCommitId } from "./branch-name.ts";
import { commitsBeyond, contains, createBranch, deleteBranch, startBranch, unmergedCommits } from "./branches.ts";
import { commit } from "./committing.ts";
import { changesSince, diffBetween, diffSince } from "./differences.ts";
import { commitOf, headOf } from "./head.ts";
import { knowsAuthor } from "./identity.ts";
import type { RepositoryLocation } from "./locate.ts";
import { merge, planMerge, resumeMerge } from "./merging.ts";
import { passedOver } from "./passed-over.ts";
import { type Print, printOf } from "./prints.ts";
import { textOf } from "./raw-names.ts";
import type { GitRunner } from "./runner.ts";
import { standingOf } from "./standing.ts";
import { switchTo } from "./switching.ts";
import { changesBetween } from "./tree-entries.ts";
import { treeHash } from "./tree-hash.ts";
import type { Worth } from "./unsaved.ts";
import type {
  CommitMade,
  CommitOrder,
  DiffText,
  HeadPlace,
  MergeOrder,
  MergeOutcome,
  MergePlan,
  MergeResumed,
  Move,
  Standing,
  TreeChanges,
  WorkTree,
} from "./work-model.ts";
import { listWorkTrees } from "./work-tree-list.ts";
import { addWorkTree, pruneWorkTrees, removeWorkTree, workTreesFolder } from "./work-trees.ts";

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

  /** The work tree against a commit, untracked files included, ignored ones not. */
  changes(since: string, limit: number, signal: AbortSignal): Promise<TreeChanges> {
    return changesSince(this.#runner, since, limit, signal);
  }

  diff(
    options: { since: string; paths?: readonly string[]; maxBytes: number },
    signal: AbortSignal,
  ): Promise<DiffText> {
    return diffSince(this.#runner, options, signal);
  }

  /** From one commit to another. */
  diffBetween(options: { from: string; to: string; maxBytes: number }, signal: AbortSignal): Promise<DiffText> {
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
