import type { ForgeError } from "../../kernel/errors.ts";
import type { FoundSecret } from "../../kernel/text/redactor.ts";
import type { SeenFile } from "./index/fingerprint.ts";

/** What git says of changes, in the words of the rooms that make them. */

export type HeadState = {
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

export type CommitResult = { commit: string; files: string[]; hookOutput: string };

/** What a merge would come to, computed without touching anything. */
export type MergePlan =
  | { kind: "nothing" }
  | { kind: "fast-forward"; commit: string }
  | { kind: "clean"; tree: string }
  | { kind: "conflict"; files: string[] };

/** A merge that can be tested before the base is moved to it. `base`: where the base must still be then. */
export type MergeCandidate = { base: string; commit: string; tree: string; fastForward: boolean };

export type PreparedMerge =
  | { kind: "candidate"; candidate: MergeCandidate }
  /** The base has the branch already. */
  | { kind: "nothing"; commit: string }
  | { kind: "conflict"; files: string[] }
  | { kind: "moved"; tip: string };

/**
 * `blocked`: the base is checked out and these of its uncommitted changes are in the way; `moved`: the branch is at another
 * commit than was to be merged. Nothing was touched then.
 */
export type MergeOutcome =
  | { kind: "merged"; commit: string; fastForward: boolean }
  | { kind: "conflict"; files: string[] }
  | { kind: "blocked"; files: string[] }
  | { kind: "moved"; tip: string }
  /** The base is no longer where the candidate was made. */
  | { kind: "stale" };

/** A base that goes from one commit to another. */
export type BaseMove = { from: string; to: string };

/** What became of a merge that was cut off; `none`: it had not begun to change anything, or somebody else went on since. */
export type ResumeOutcome = { kind: "merged" } | { kind: "none" } | { kind: "blocked"; files: string[] };

/**
 * What git knows of a path. `elsewhere`: it is in another repository, such as a submodule. `free`: nothing is there.
 * `hidden`: tracked, but git was told not to look at it. `untracked`: git sees it, `ignored`: it does not.
 */
export type PathState =
  | { kind: "elsewhere"; repository: string }
  | { kind: "free" | "tracked" | "hidden" | "untracked" | "ignored" };

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

/** As `git apply` takes it, whatever the files' encodings are; a part of it where it is cut. */
export type Patch = { bytes: Buffer; truncated: boolean };

/** A file as a commit would have it, or has it. */
export type ReviewedChange = {
  path: string;
  /** The id of its content; absent if the file is deleted. */
  blob?: string;
  isNew: boolean;
  /** It is a link, or a repository of its own: what lies below is not in the commit. */
  isLink: boolean;
  /** In the lines that are added. */
  secrets: readonly FoundSecret[];
};

export type CommitInput = {
  message: string;
  /** Put at the message's end, where git looks for them. */
  trailers: Record<string, string>;
  /** From the work tree's root, with forward slashes; files, also deleted ones. */
  paths: readonly string[];
  /** Is shown what was staged, before it is committed. If it throws, nothing is. */
  review?: { findSecrets(text: string): FoundSecret[]; require(changes: ReviewedChange[]): Promise<void> };
  /** How some of them were when it was decided to commit them. Where one is not so any more, nothing is committed but `refusal` thrown. */
  checked?: { seen: ReadonlyMap<string, SeenFile>; refusal(changed: string[]): ForgeError };
};

export type MergeInput = {
  base: string;
  branch: string;
  /** The commit that the branch must be at, where only that one is meant. */
  tip?: string;
  /** Only this merge, as it was prepared, and only while the base is where it was. */
  candidate?: Pick<MergeCandidate, "base" | "commit">;
  /** Told before the first file moves: with it a merge that is cut off can be resumed. */
  beforeMove?(move: BaseMove): Promise<void>;
  /** Of the merge commit, where there is one. */
  message: string;
  trailers: Record<string, string>;
};
