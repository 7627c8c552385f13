import { refOf } from "./branch-name.ts";
import { branchesStarting, createBranch, deleteBranch, isMerged, startBranch, unmergedCommits } from "./branches.ts";
import { commit } from "./committing.ts";
import { changesSince, diffSince } from "./differences.ts";
import { filteredNames } from "./filters.ts";
import { requireLiteralPath } from "./given-paths.ts";
import { commitOf, headOf } from "./head.ts";
import type { RepositoryLocation } from "./locate.ts";
import { merge, planMerge } from "./merging.ts";
import { rawOf, textOf } from "./raw-names.ts";
import type { GitRunner } from "./runner.ts";
import { switchTo } from "./switching.ts";
import { treeHash } from "./tree-hash.ts";
import type {
  BranchTip,
  CommitMade,
  CommitOrder,
  DiffText,
  HeadPlace,
  MergeOrder,
  MergeOutcome,
  MergePlan,
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

  branches(prefix: string, signal: AbortSignal): Promise<BranchTip[]> {
    return branchesStarting(this.#runner, prefix, signal);
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

  isMerged(branch: string, into: string, signal: AbortSignal): Promise<boolean> {
    return isMerged(this.#runner, branch, into, signal);
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
  removeWorkTree(folder: string, signal: AbortSignal): Promise<string[]> {
    return removeWorkTree(this.#runner, folder, signal);
  }

  /** Has git forget work trees of Forge's whose folders are gone; returns their paths. */
  pruneWorkTrees(signal: AbortSignal): Promise<string[]> {
    return pruneWorkTrees(this.#runner, signal);
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

  /** Commits exactly these files as they are in the work tree. */
  commit(order: CommitOrder, signal: AbortSignal): Promise<CommitMade> {
    return commit(this.#runner, order, signal);
  }

  planMerge(base: string, branch: string, signal: AbortSignal): Promise<MergePlan> {
    return planMerge(this.#runner, base, branch, signal);
  }

  /** A branch that is merged already counts as merged. */
  merge(order: MergeOrder, signal: AbortSignal): Promise<MergeOutcome> {
    return merge(this.#runner, order, signal);
  }

  /** The id of the tree that committing everything here would make. */
  treeHash(signal: AbortSignal): Promise<string> {
    return treeHash(this.#runner, signal);
  }

  /** Those of these files that a filter converts. */
  async filteredPaths(paths: readonly string[], signal: AbortSignal): Promise<string[]> {
    const names = paths.map((path) => rawOf(requireLiteralPath(path)));
    return (await filteredNames(this.#runner, names, signal)).map(textOf);
  }
}
