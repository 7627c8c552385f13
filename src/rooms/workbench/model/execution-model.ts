import * as z from "zod";
import type { TestRun } from "../../../commons/test-runs/test-run.ts";
import type { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { Patch } from "../../../platform/git/work-model.ts";
import type { Advice } from "./advice.ts";
import { type ExecutionStatus, limits, type TaskStatus } from "./limits.ts";

export const executionOptions = z.object({
  create_branch: z.boolean().optional().meta({ default: true }),
  run_tests: z.boolean().optional().describe("Before merging; failures block it"),
  notify_progress: z.boolean().optional().meta({ unadvertised: true }),
  resolve_dependencies: z.boolean().optional().describe("Start the first ready dependency instead"),
  auto_commit: z.boolean().optional().describe("Commit remaining changes on completion"),
  rollback_on_failure: z.boolean().optional().describe("End it if tests or merge fail"),
  finish: z.enum(["merge", "branch"]).optional().describe("branch: for a pull request"),
  isolation: z.enum(["none", "worktree"]).optional().describe("worktree: a separate folder"),
});
export type ExecutionOptions = Required<z.output<typeof executionOptions>>;

export type { ExecutionStatus } from "./limits.ts";

export const eventKinds = [
  "started",
  "resumed",
  "setup",
  "file",
  "tests",
  "issue",
  "commit",
  "queued",
  "merged",
  "completed",
  "failed",
  "cancelled",
  "recovered",
] as const;
export type EventKind = (typeof eventKinds)[number];

/** One step of an execution, as its timeline records it. */
export type ExecutionEvent = {
  seq: number;
  at: number;
  kind: EventKind;
  /** One line for people. */
  message: string;
  details: Record<string, unknown>;
};

export const issue = z.object({
  type: z.string().max(limits.name),
  file: z.string().max(limits.path).optional(),
  line: z.number().int().optional(),
  message: z.string().max(limits.text),
  suggestion: z.string().max(limits.text).optional(),
});
export type Issue = z.output<typeof issue>;

export type FileAction = "created" | "modified" | "deleted";

/** A file that an execution changed. */
export type ExecutionFile = {
  path: string;
  action: FileAction;
  linesAdded: number;
  linesRemoved: number;
  at: number;
  /** Through one of Forge's tools, or found by git. */
  via: "forge" | "git";
  /** Of what Forge's tools wrote last; empty if that included someone else's changes. */
  sha256?: string;
};

export type Execution = {
  id: string;
  blockId: string;
  taskId: string;
  taskName: string;
  status: ExecutionStatus;
  /** `implementing`, `testing`, `committing`, … */
  stage: string;
  options: ExecutionOptions;
  /** Undefined with `create_branch: false`. */
  branch?: string;
  /** Undefined if HEAD was detached. */
  baseBranch?: string;
  baseCommit: string;
  /** The folder to work in: the project's, or a work tree of its own. */
  root: string;
  startedBy: string;
  agent?: string;
  /** Who works on it now, if anyone. */
  holder?: string;
  startedAt: number;
  endedAt?: number;
  /** The last commit it made. */
  commit?: string;
  /** Untracked files that existed before it started in the project's folder: the user's own. */
  untrackedBefore: string[];
  revision: number;
};

/** An execution with everything that is recorded of it. */
export type ExecutionRecord = Execution & {
  events: ExecutionEvent[];
  files: ExecutionFile[];
  tests: Pick<TestRun, "id" | "status" | "total" | "passed" | "failed" | "skipped" | "durationMs" | "at">[];
  issues: Issue[];
  /** Its place among the commits that wait to be merged, from 1. */
  queue?: { place: number; waiting: number; since: number; commit: string };
};

export type ActionPerformed =
  | { type: "file_created" | "file_modified" | "file_deleted"; path: string; lines: number; purpose?: string }
  | { type: "tests_run"; passed: number; failed: number; coverage?: number }
  | { type: "committed"; commit: string; files: string[] }
  | { type: "merged"; into: string };

export type ExecutionFilter = {
  status?: ExecutionStatus[] | undefined;
  block?: string | undefined;
  task?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};

/** Where a call works: the folder of an execution, or the project's folder. */
export type Workspace = {
  execution: Execution | undefined;
  /** Absolute. */
  path: string;
  files: SafeRoot;
};

/** Something a tool did in an execution; recorded in its timeline. */
export type TimelineEvent =
  | { kind: "file"; file: Omit<ExecutionFile, "at">; purpose?: string | undefined }
  | { kind: "tests"; run: string; message: string; details: Record<string, unknown> }
  | { kind: "issue"; issue: Issue };

export type CommitRequest = {
  message: string;
  /** Paths from the execution's root; default: everything that the execution changed. */
  files: string[] | undefined;
  complete: boolean;
};

export type CommitOutcome = {
  commit: string | undefined;
  files: string[];
  branchMerged: boolean;
  branchDeleted: boolean;
  /** The branch, if it was not deleted. */
  branchKept?: string;
  /** `queued`: it is merged, and the task completed, when it is its turn. */
  merge?: "merged" | "queued";
  taskStatus: TaskStatus;
  execution: Execution;
  actions: ActionPerformed[];
  summary: string;
  /** The test run before the merge. */
  tests?: TestRun;
  hooks?: string;
} & Advice;

export type StartOutcome = {
  execution: Execution;
  /** The caller had this execution open already. */
  resumed: boolean;
  branchCreated: string | undefined;
  /** The dependency that was started, because the requested task waits for it. */
  instead?: { blockId: string; taskId: string };
} & Advice;

export type FollowOptions = {
  after: number | undefined;
  waitMs: number;
  /** Called for each event as it comes. */
  onEvent(event: ExecutionEvent, execution: Execution): void;
};

/** `last`: the newest event so far; later events come after it. */
export type FollowOutcome = { execution: Execution; events: ExecutionEvent[]; last: number };

/** A patch for `git apply`, in bytes. `aside`: changed files that are left out because they may belong to someone else. */
export type ExecutionDiff = Patch & { aside: string[] };
