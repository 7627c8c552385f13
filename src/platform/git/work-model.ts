/** What git says of changes, in the words of the rooms that make them. */

export type HeadPlace = {
  /** Undefined where HEAD is detached. */
  branch: string | undefined;
  /** Undefined before the first commit. */
  commit: string | undefined;
};

export type TreeChange = {
  path: string;
  action: "created" | "modified" | "deleted";
  additions: number;
  deletions: number;
};

export type CommitMade = { commit: string; files: string[]; hookOutput: string };

/** What a merge would come to, computed without touching anything. */
export type MergePlan =
  | { kind: "nothing" }
  | { kind: "fast-forward"; commit: string }
  | { kind: "clean"; tree: string }
  | { kind: "conflict"; files: string[] };

/** `blocked`: the base is checked out and these of its uncommitted changes are in the way; nothing was touched. */
export type MergeOutcome =
  | { kind: "merged"; commit: string; fastForward: boolean }
  | { kind: "conflict"; files: string[] }
  | { kind: "blocked"; files: string[] };

export type BranchTip = { name: string; commit: string };

/** A work tree of the repository, as git lists them. */
export type WorkTree = {
  path: string;
  /** Undefined where HEAD is detached. */
  branch: string | undefined;
  /** Undefined before the first commit, and in a bare repository. */
  commit: string | undefined;
  isMain: boolean;
  /** The folder is not there. */
  isGone: boolean;
};

/** `total`: how many there are, beyond the limit too. */
export type TreeChanges = { changes: TreeChange[]; total: number };

export type DiffText = { text: string; truncated: boolean };

export type CommitOrder = {
  message: string;
  /** Put at the message's end, where git looks for them. */
  trailers: Record<string, string>;
  /** From the work tree's root, with forward slashes; files, also deleted ones. */
  paths: readonly string[];
};

export type MergeOrder = {
  base: string;
  branch: string;
  /** Of the merge commit, where there is one. */
  message: string;
  trailers: Record<string, string>;
};
