import type { Generated } from "kysely";

export type BlockTable = {
  seq: Generated<number>;
  id: string;
  name: string;
  /** Everything else the block says, as JSON, with what Forge does not know. */
  document: string;
  created_at: number;
  updated_at: number;
  revision: number;
};

export type TaskTable = {
  seq: Generated<number>;
  block: number;
  id: string;
  name: string;
  status: string;
  commit_id: string;
  ticket: string | null;
  /** Everything else the task says, as JSON, with what Forge does not know. */
  document: string;
  created_at: number;
  updated_at: number;
  updated_by: string | null;
  revision: number;
  /** 1 while something it depends on is not completed, else 0: an index finds what can be executed. See board/waiting.ts. */
  waits: Generated<number>;
};

/** One row for each dependency, in the order written; what it means is found when it is asked for. */
type DependencyTable = { task: number; place: number; ref: string };

/**
 * How many tasks a block has of a status, and how many of these wait for no other, counted as they change: counting them would
 * take as long as there are many.
 */
type TaskCountTable = { block: number; status: string; count: number; free: number };

/** The same over all blocks: adding those up would take as long as there are many blocks. */
type TaskTotalTable = { status: string; count: number; free: number };

/** The file that blocks were imported from, as it was then. */
export type BlocksFileTable = { path: string; sha256: string; imported_at: number };

export type ExecutionTable = {
  seq: Generated<number>;
  id: string;
  block_id: string;
  task_id: string;
  task_name: string;
  status: string;
  stage: string;
  /** JSON. */
  options: string;
  branch: string | null;
  base_branch: string | null;
  base_commit: string;
  root: string;
  started_by: string;
  agent: string | null;
  /** The lease's holder that began or resumed it last. */
  holder: string | null;
  started_at: number;
  ended_at: number | null;
  commit_id: string | null;
  /** JSON list of names. */
  untracked_before: string;
  /** What a process was about to do with git, as JSON, until it is done: the next start reads it. */
  intent: string | null;
  revision: number;
};

export type ExecutionEventTable = {
  seq: Generated<number>;
  execution: number;
  at: number;
  kind: string;
  message: string;
  /** JSON. */
  details: string;
};

export type ExecutionFileTable = {
  execution: number;
  path: string;
  action: string;
  lines_added: number;
  lines_removed: number;
  at: number;
  via: string;
  /** Of the bytes that a tool of Forge wrote last; empty where somebody else's changes were among them. */
  sha256: string | null;
};

/** What the set-up command left in an execution's work tree: JSON list of marks, each of a file's name and content. */
type ExecutionLeftoversTable = { execution: number; marks: string };

export type WorkbenchTables = {
  block: BlockTable;
  task: TaskTable;
  task_dependency: DependencyTable;
  task_count: TaskCountTable;
  task_total: TaskTotalTable;
  blocks_file: BlocksFileTable;
  execution: ExecutionTable;
  execution_event: ExecutionEventTable;
  execution_file: ExecutionFileTable;
  execution_leftovers: ExecutionLeftoversTable;
};
