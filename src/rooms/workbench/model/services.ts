import type { Claiming } from "../../../commons/claims/index.ts";
import type { Testing } from "../../../commons/test-runs/ports.ts";
import type { TestRun } from "../../../commons/test-runs/test-run.ts";
import type { Call } from "../../../kernel/call.ts";
import type { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { Git } from "../../../platform/git/git.ts";
import type { Patch } from "../../../platform/git/work-model.ts";
import type {
  ActionPerformed,
  Execution,
  ExecutionEvent,
  ExecutionFile,
  ExecutionOptions,
  ExecutionRecord,
  ExecutionStatus,
  Issue,
} from "./execution-model.ts";
import type { StatusSource } from "./limits.ts";
import type { Block, DependencyState, PartialTaskContent, Task, TaskFilter, TaskPage, TaskStatus } from "./task-model.ts";

/** Who changes something, and the ledger entry that is committed with the change. */
export type Actor = Pick<Call, "principal" | "record">;

export type TaskDraft = {
  name: string;
  id?: string | undefined;
  status?: TaskStatus | undefined;
} & PartialTaskContent & {
    ticketId?: string | undefined;
  };
export type TaskChanges = PartialTaskContent & {
  name?: string | undefined;
  status?: TaskStatus | undefined;
  ticketId?: string | null | undefined;
};

/** Blocks and their tasks. Ids and names of blocks are both taken; an unknown one is NOT_FOUND with the nearest there are. */
export interface Board {
  blocks(filter: {
    text?: string | undefined;
    status?: "active" | "completed" | "failed" | undefined;
    hasTasks?: boolean | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  }): Promise<{
    blocks: Block[];
    total: number;
    nextCursor?: string;
    warnings: string[];
  }>;
  block(ref: string): Promise<Block>;
  tasks(filter: TaskFilter): Promise<TaskPage>;
  task(block: string, id: string): Promise<Task>;
  /** Every dependency of a task, in the order written, keyed as written. */
  dependencies(task: Task): Promise<DependencyState[]>;
  /** The way round, where the task waits for itself: `A → B → A`. */
  cycle(task: Task): Promise<string[] | undefined>;
  /** Names of the blocks that the task's own is connected with, and of those it waits for. */
  relatedBlocks(task: Task): Promise<string[]>;
  createBlock(
    by: Actor,
    draft: {
      name: string;
      id?: string | undefined;
      description?: string | undefined;
      inputs?: Block["inputs"] | undefined;
      outputs?: Block["outputs"] | undefined;
    },
  ): Promise<Block>;
  updateBlock(
    by: Actor,
    ref: string,
    changes: { name?: string | undefined; description?: string | undefined },
    expectedRevision?: number,
  ): Promise<Block>;
  createTask(by: Actor, block: string, draft: TaskDraft): Promise<Task>;
  /** A status of `in_progress` or `completed` is an execution's to give; a person at the keyboard may. */
  updateTask(by: Actor, block: string, id: string, changes: TaskChanges, expectedRevision?: number): Promise<Task>;
  claim(by: Actor, block: string, id: string, claiming: Claiming): Promise<Task>;
  release(by: Actor, block: string, id: string): Promise<Task>;
  /** How many there are, for statistics. */
  totals(): Promise<{ blocks: number; tasks: number; byStatus: Record<TaskStatus, number> }>;
}

export type ImportTally = { added: number; updated: number; unchanged: number };
export type ImportOutcome = {
  blocks: ImportTally;
  tasks: ImportTally;
  /** Those on the board that the file does not have; they stay. */
  kept: string[];
  warnings: string[];
};

export type ImportRequest = {
  /** Another file than the project's own `blocks_config.json`. */
  other?: { text: string; name: string } | undefined;
  statuses?: StatusSource | undefined;
  /** Only tells what would come of it. */
  dryRun?: boolean | undefined;
};

/** A board that goes into files and comes out of them. */
export interface BoardFiles {
  /** What is new is added, what differs is as the file says, what it lacks stays: all of it or none. */
  importFile(by: Actor, request?: ImportRequest): Promise<ImportOutcome>;
  /** Writes the project's own file. One with changes that the board does not know is left as it is, unless told. */
  exportFile(by: Actor, options?: { overwrite?: boolean }): Promise<{ path: string; blocks: number; tasks: number }>;
  /** The board as the text of such a file. */
  exportText(): Promise<string>;
}

/** Where a call works: an execution's folder, or the project's where none is meant. */
export type Workspace = {
  execution: Execution | undefined;
  /** Absolute. */
  path: string;
  files: SafeRoot;
};

/** What a tool saw happen in an execution: goes into its timeline, and to whoever watches it. */
export type TimelineEvent =
  | { kind: "file"; file: Omit<ExecutionFile, "at">; purpose?: string | undefined }
  | { kind: "tests"; run: string; message: string; details: Record<string, unknown> }
  | { kind: "issue"; issue: Issue };

export type CommitRequest = {
  message: string;
  /** Paths from the execution's root; all that the execution changed where left out. */
  files: string[] | undefined;
  complete: boolean;
};

export type CommitOutcome = {
  commit: string | undefined;
  files: string[];
  branchMerged: boolean;
  branchDeleted: boolean;
  /** The branch that stays, where it stays. */
  branchKept?: string;
  taskStatus: TaskStatus;
  execution: Execution;
  actions: ActionPerformed[];
  summary: string;
  /** The run that completing asked for. */
  tests?: TestRun;
  hooks?: string;
  warnings: string[];
};

export type StartOutcome = {
  execution: Execution;
  /** The same caller's, which was open already. */
  resumed: boolean;
  branchCreated: string | undefined;
  /** The task that was started instead, because the one asked for waits for it. */
  instead?: { blockId: string; taskId: string };
  warnings: string[];
};

export type FollowOptions = {
  after: number | undefined;
  waitMs: number;
  /** Told of each as it comes. */
  onEvent(event: ExecutionEvent, execution: Execution): void;
};
/** `last`: the newest event there was; what comes later comes after it. */
/** A patch for `git apply`, in bytes. `aside`: what is changed in the folder and not in it, for it may be somebody else's. */
export type ExecutionDiff = Patch & { aside: string[] };

export type FollowOutcome = { execution: Execution; events: ExecutionEvent[]; last: number };

/** Tasks being worked on. */
export interface Executions {
  start(call: Call, block: string, task: string, options: Partial<ExecutionOptions>): Promise<StartOutcome>;
  list(filter: {
    status?: ExecutionStatus[] | undefined;
    block?: string | undefined;
    task?: string | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  }): Promise<{
    executions: Execution[];
    total: number;
    nextCursor?: string;
    /** What was found left behind, at this process's first look, by one that ended in the middle. */
    warnings: string[];
  }>;
  /** Looks at git first, so that what was changed past Forge's tools is in it. Without an id, the one the caller works in. */
  get(call: Call, id: string | undefined): Promise<ExecutionRecord>;
  commit(call: Call, id: string | undefined, request: CommitRequest): Promise<CommitOutcome>;
  cancel(
    call: Call,
    id: string | undefined,
    reason: string | undefined,
  ): Promise<{ execution: Execution; kept: string[]; removed: string[] }>;
  /** What happens in it after an event, or from now on, until it ends or `waitMs` are over. */
  follow(call: Call, id: string | undefined, following: FollowOptions): Promise<FollowOutcome>;
  /** The execution a call works in: the one named, the connection's latest open one, the caller's only one. Renews its claim. */
  workplace(call: Call, id: string | undefined): Promise<Workspace>;
  /** The same where work outside an execution is fine: the project's folder then. */
  workplaceOrProject(call: Call, id: string | undefined): Promise<Workspace>;
  /** Throws where the caller may not write there: nobody's execution, another's, a person's untracked file. */
  requireWritable(workplace: Workspace, path: string, signal: AbortSignal): Promise<Execution>;
  /** Whether a file has changes that are not committed and that no tool of Forge made: in place they may be a person's. */
  hasOthersWork(execution: Execution, file: { path: string; sha256: string }, signal: AbortSignal): Promise<boolean>;
  /** In the same transaction as the call's ledger entry. */
  note(call: Call, execution: Execution, ...happenings: TimelineEvent[]): Promise<void>;
  diff(call: Call, id: string | undefined, options?: { maxBytes?: number }): Promise<ExecutionDiff>;
  /** Calls back when there is something new in this execution, or in any; returns how to stop. */
  watch(id: string | undefined, changed: () => void): () => void;
  stop(): Promise<void>;
}

export type WorkbenchServices = {
  git: Git;
  board: Board;
  executions: Executions;
  testing: Testing;
  /** A text without what looks like a secret in it. */
  redactor: { text(text: string): string };
  /** The project's folder. */
  projectRoot: string;
};
