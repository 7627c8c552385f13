import * as z from "zod";
import { executionStatuses, limits } from "../bounds.ts";
import {
  type Execution,
  type ExecutionEvent,
  type ExecutionFile,
  type ExecutionRecord,
  eventKinds,
  executionOptions,
  issue,
} from "../execution-model.ts";
import { aboutExecution } from "./journal.ts";

/** Executions as they go over the wire. */

const id = z.string().max(limits.id);
const path = z.string().max(4_096);
const time = z.string().max(40);
const text = z.string().max(limits.text);

export const wireWarnings = z.array(text).max(limits.list).optional();

export const wireExecution = z.object({
  execution_id: id,
  block_id: z.string().max(limits.id),
  task_id: z.string().max(limits.id),
  task_name: z.string().max(limits.name),
  status: z.enum(executionStatuses),
  stage: z.string().max(limits.name),
  options: executionOptions,
  branch: z.string().max(limits.path).optional(),
  base_branch: z.string().max(limits.path).optional(),
  base_commit: z.string().max(64),
  root: path,
  holder: z.string().max(limits.line).optional(),
  started_at: time,
  ended_at: time.optional(),
  commit_hash: z.string().max(64).optional(),
});

export const wireEvent = z.object({
  seq: z.number(),
  at: time,
  kind: z.enum(eventKinds),
  message: text,
  details: z.record(z.string(), z.unknown()),
});

const wireFile = z.object({
  path,
  action: z.enum(["created", "modified", "deleted"]),
  lines_added: z.number(),
  lines_removed: z.number(),
  via: z.enum(["forge", "git"]),
});

const wireTests = z.object({
  run_id: id,
  status: z.enum(["passed", "failed"]),
  total_tests: z.number(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  duration: z.string().max(20),
  at: time,
});

export const wireRecord = wireExecution.extend({
  timeline: z.array(wireEvent),
  files: z.array(wireFile),
  tests: z.array(wireTests),
  issues: z.array(issue),
});

/** What a call on an execution is about, as far as it was named. */
export function aboutNamed({ execution_id }: { execution_id?: string | undefined }): string[] {
  return execution_id === undefined ? [] : [aboutExecution(execution_id)];
}

const at = (ms: number) => new Date(ms).toISOString();

export function shownDuration(ms: number): string {
  return `${(ms / 1_000).toFixed(1)}s`;
}

export function shownExecution(execution: Execution): z.output<typeof wireExecution> {
  const { branch, baseBranch, holder, endedAt, commit } = execution;
  return {
    execution_id: execution.id,
    block_id: execution.blockId,
    task_id: execution.taskId,
    task_name: execution.taskName,
    status: execution.status,
    stage: execution.stage,
    options: execution.options,
    ...(branch !== undefined && { branch }),
    ...(baseBranch !== undefined && { base_branch: baseBranch }),
    base_commit: execution.baseCommit,
    root: execution.root,
    ...(holder !== undefined && { holder }),
    started_at: at(execution.startedAt),
    ...(endedAt !== undefined && { ended_at: at(endedAt) }),
    ...(commit !== undefined && { commit_hash: commit }),
  };
}

export function shownEvent({ seq, at: when, kind, message, details }: ExecutionEvent): z.output<typeof wireEvent> {
  return { seq, at: at(when), kind, message, details };
}

function shownFile({ path: name, action, linesAdded, linesRemoved, via }: ExecutionFile): z.output<typeof wireFile> {
  return { path: name, action, lines_added: linesAdded, lines_removed: linesRemoved, via };
}

function shownTests(run: ExecutionRecord["tests"][number]): z.output<typeof wireTests> {
  const { status, total, passed, failed, skipped, durationMs } = run;
  const duration = shownDuration(durationMs);
  return { run_id: run.id, status, total_tests: total, passed, failed, skipped, duration, at: at(run.at) };
}

export function shownRecord(record: ExecutionRecord): z.output<typeof wireRecord> {
  return {
    ...shownExecution(record),
    timeline: record.events.map(shownEvent),
    files: record.files.map(shownFile),
    tests: record.tests.map(shownTests),
    issues: record.issues,
  };
}
