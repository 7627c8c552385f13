import type { Selectable } from "kysely";
import type {
  EventKind,
  Execution,
  ExecutionEvent,
  ExecutionFile,
  ExecutionOptions,
  ExecutionStatus,
  FileAction,
} from "../model/execution-model.ts";
import type { ExecutionEventTable, ExecutionFileTable, ExecutionTable } from "../store/schema.ts";

export type ExecutionRow = Selectable<ExecutionTable>;
type EventRow = Selectable<ExecutionEventTable>;

const defaultOptions: ExecutionOptions = {
  create_branch: true,
  run_tests: false,
  notify_progress: true,
  resolve_dependencies: false,
  auto_commit: false,
  rollback_on_failure: false,
  finish: "merge",
  isolation: "none",
};

/** Later options win over earlier ones, and all over the defaults. */
export function mergeOptions(...given: Partial<ExecutionOptions>[]): ExecutionOptions {
  const said = given.map((options) =>
    Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  );
  return Object.assign({}, defaultOptions, ...said);
}

/** Rows are written by this program only, so their values are those it knows. */
export function toExecution(row: ExecutionRow): Execution {
  return {
    id: row.id,
    blockId: row.block_id,
    taskId: row.task_id,
    taskName: row.task_name,
    status: row.status as ExecutionStatus,
    stage: row.stage,
    options: mergeOptions(JSON.parse(row.options)),
    ...(row.branch !== null && { branch: row.branch }),
    ...(row.base_branch !== null && { baseBranch: row.base_branch }),
    baseCommit: row.base_commit,
    root: row.root,
    startedBy: row.started_by,
    ...(row.agent !== null && { agent: row.agent }),
    ...(row.holder !== null && { holder: row.holder }),
    startedAt: Number(row.started_at),
    ...(row.ended_at !== null && { endedAt: Number(row.ended_at) }),
    ...(row.commit_id !== null && { commit: row.commit_id }),
    untrackedBefore: JSON.parse(row.untracked_before),
    revision: Number(row.revision),
  };
}

export function toEvent(row: EventRow): ExecutionEvent {
  return {
    seq: Number(row.seq),
    at: Number(row.at),
    kind: row.kind as EventKind,
    message: row.message,
    details: JSON.parse(row.details),
  };
}

export function toFile(row: ExecutionFileTable): ExecutionFile {
  return {
    path: row.path,
    action: row.action as FileAction,
    linesAdded: Number(row.lines_added),
    linesRemoved: Number(row.lines_removed),
    at: Number(row.at),
    via: row.via === "forge" ? "forge" : "git",
    ...(row.sha256 !== null && { sha256: row.sha256 }),
  };
}
