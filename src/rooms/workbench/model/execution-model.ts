import * as z from "zod";
import type { TestRun } from "../../../commons/test-runs/test-run.ts";
import type { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { Patch } from "../../../platform/git/work-model.ts";
import { type ExecutionStatus, limits, type TaskStatus } from "./limits.ts";

export const executionOptions = z.object({
  create_branch: z.boolean().optional().describe("Work on a branch task-<id>-<slug> (default); false: on the current."),
  run_tests: z
    .boolean()
    .optional()
    .describe("Have the tests run before the merge; failing ones block it. Needs trust."),
  notify_progress: z.boolean().optional().describe("Announce every step to subscribers of the execution (default)."),
  resolve_dependencies: z
    .boolean()
    .optional()
    .describe("Start the first dependency that is ready, where some are open."),
  auto_commit: z
    .boolean()
    .optional()
    .describe("Commit what is left over when the task is completed, instead of refusing."),
  rollback_on_failure: z
    .boolean()
    .optional()
    .describe("End the execution and go back to the base where tests or the merge fail; the branch stays."),
  finish: z
    .enum(["merge", "branch"])
    .optional()
    .describe("Merge to the base (default), or leave the branch for a pull request."),
  isolation: z
    .enum(["none", "worktree"])
    .optional()
    .describe("In place (default; needs a clean tree, and the folder to itself), or in a work tree of its own."),
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
  "merged",
  "completed",
  "failed",
  "cancelled",
  "recovered",
] as const;
export type EventKind = (typeof eventKinds)[number];

/** One step of an execution, as its timeline tells it. */
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
  /** Through a tool of Forge, or found by git. */
  via: "forge" | "git";
  /** Of the bytes that a tool of Forge wrote last; empty where somebody else's changes were among them. */
  sha256?: string;
};

export type Execution = {
  id: string;
  blockId: string;
  taskId: string;
  taskName: string;
  status: ExecutionStatus;
  /** Where the work stands, in a word: `implementing`, `testing`, `committing`. */
  stage: string;
  options: ExecutionOptions;
  /** Undefined with `create_branch: false`. */
  branch?: string;
  /** Undefined where HEAD was detached. */
  baseBranch?: string;
  baseCommit: string;
  /** The folder its files are in: the project's work tree or one of its own. */
  root: string;
  startedBy: string;
  agent?: string;
  /** Who is on it now, where anybody is. */
  holder?: string;
  startedAt: number;
  endedAt?: number;
  /** The last commit it made. */
  commit?: string;
  /** Names that were there, untracked, before it began, in place: the person's own. */
  untrackedBefore: string[];
  revision: number;
};

/** What an execution left behind, whole. */
export type ExecutionRecord = Execution & {
  events: ExecutionEvent[];
  files: ExecutionFile[];
  tests: Pick<TestRun, "id" | "status" | "total" | "passed" | "failed" | "skipped" | "durationMs" | "at">[];
  issues: Issue[];
};

/** workbench.md, "Structured Responses". */
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
  taskStatus: TaskStatus;
  execution: Execution;
  actions: ActionPerformed[];
  summary: string;
  /** The test run before the merge. */
  tests?: TestRun;
  hooks?: string;
  warnings: string[];
};

export type StartOutcome = {
  execution: Execution;
  /** The caller had this execution open already. */
  resumed: boolean;
  branchCreated: string | undefined;
  /** The dependency that was started, because the requested task waits for it. */
  instead?: { blockId: string; taskId: string };
  warnings: string[];
};

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
