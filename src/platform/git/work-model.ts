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
