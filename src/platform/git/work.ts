import { fingerprintOf, seeFile } from "./index/fingerprint.ts";
import { findStagedDifferently } from "./index/staged-differently.ts";
import { changesSince, diffBetween, diffSince } from "./read/differences.ts";
import { branchTip, hasCommit, headOf, unfinishedOperation } from "./read/head.ts";
import { listIgnored } from "./read/ignored-files.ts";
import { isTracked, pathStateOf } from "./read/path-state.ts";
import { listTrackedLinks } from "./read/tracked-links.ts";
import { blobsOf, changedNames, namesIn } from "./read/tree-entries.ts";
import { treeHash, treeOf } from "./read/tree-hash.ts";
import { listUncommitted } from "./read/uncommitted.ts";
import type { GitRunner } from "./run/runner.ts";
import { verifyCheckout } from "./worktrees/verify-checkout.ts";
import { listWorkTrees } from "./worktrees/work-tree-list.ts";
import { findWorkTreePlaces, isWorkTreePlace } from "./worktrees/work-tree-places.ts";
import {
  addCandidateTree,
  addWorkTree,
  discardCandidateTree,
  pruneWorkTrees,
  removeWorkTree,
} from "./worktrees/work-trees.ts";
import {
  commitsBeyond,
  contains,
  createBranch,
  deleteBranch,
  isInHistory,
  mergeBase,
  startBranch,
  unmergedCommits,
} from "./write/branches.ts";
import { commit } from "./write/commit.ts";
import { knowsAuthor } from "./write/identity.ts";
import { merge, planMerge, prepareMerge, resumeMerge } from "./write/merge.ts";
import { setNote } from "./write/notes.ts";
import { reviewCommits } from "./write/review.ts";
import { switchTo } from "./write/switch-branch.ts";

type OnRunner = (runner: GitRunner, ...rest: never[]) => unknown;

type Bound<Functions extends Record<string, OnRunner>> = {
  [Name in keyof Functions]: Functions[Name] extends (runner: GitRunner, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** The functions without their first argument. */
function bindAll<Functions extends Record<string, OnRunner>>(runner: GitRunner, functions: Functions) {
  const bound = Object.entries(functions).map(([name, run]) => [name, run.bind(undefined, runner)]);
  return Object.fromEntries(bound) as Bound<Functions>;
}

/**
 * Everything Forge changes in a repository, by what it is about. As hardened as reading one: nothing of the repository's runs
 * unless a person trusted it, nothing uncommitted is overwritten, and if it is killed, git and a second try can go on from
 * what is there.
 */
export type RepositoryWork = ReturnType<typeof openWork>;

export function openWork(runner: GitRunner) {
  return {
    location: runner.location,
    ...bindAll(runner, { head: headOf, treeHash }),
    /** What a person has started here and not finished: `merge`, `rebase`. */
    get underWay(): string | undefined {
      return unfinishedOperation(runner);
    },
    branches: bindAll(runner, {
      tip: branchTip,
      start: startBranch,
      create: createBranch,
      switchTo,
      delete: deleteBranch,
      contains,
      unmergedCommits,
    }),
    commits: bindAll(runner, {
      create: commit,
      has: hasCommit,
      hasAuthor: knowsAuthor,
      beyond: commitsBeyond,
      isInHistory,
      mergeBase,
      changedNames,
      blobs: blobsOf,
      names: namesIn,
      review: reviewCommits,
      treeOf,
    }),
    merges: bindAll(runner, { plan: planMerge, prepare: prepareMerge, merge, resume: resumeMerge }),
    workTrees: {
      places: findWorkTreePlaces(runner),
      ...bindAll(runner, {
        list: listWorkTrees,
        isPlace: isWorkTreePlace,
        add: addWorkTree,
        addCandidate: addCandidateTree,
        verify: verifyCheckout,
        remove: removeWorkTree,
        discardCandidate: discardCandidateTree,
        prune: pruneWorkTrees,
      }),
    },
    notes: bindAll(runner, { set: setNote }),
    changes: bindAll(runner, { list: changesSince, diff: diffSince, diffBetween }),
    files: bindAll(runner, {
      stateOf: pathStateOf,
      isTracked,
      uncommitted: listUncommitted,
      ignored: listIgnored,
      stagedDifferently: findStagedDifferently,
      fingerprint: fingerprintOf,
      see: seeFile,
      links: listTrackedLinks,
    }),
  };
}
