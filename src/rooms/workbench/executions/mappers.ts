import type * as z from "zod";
import type { TestRun } from "../../../commons/test-runs/test-run.ts";
import type { Execution, ExecutionEvent, ExecutionFile, ExecutionRecord } from "../model/execution-model.ts";
import { limits } from "../model/limits.ts";
import {
  type countsSchema,
  type eventSchema,
  type executionSchema,
  type factSchema,
  type fileSchema,
  maxItems,
  type recordSchema,
  type testsSchema,
} from "./schemas.ts";
import { executionReference } from "./timeline/timeline.ts";

/** Executions as tools and resources return them. */

/** What a call is about, if it names an execution. */
export function executionAbout({ execution_id }: { execution_id?: string | undefined }): string[] {
  return execution_id === undefined ? [] : [executionReference(execution_id)];
}

const toTime = (ms: number) => new Date(ms).toISOString();

export function formatExecution(execution: Execution): z.output<typeof executionSchema> {
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
    started_at: toTime(execution.startedAt),
    ...(endedAt !== undefined && { ended_at: toTime(endedAt) }),
    ...(commit !== undefined && { commit_hash: commit }),
  };
}

export function formatEvent({ seq, at: when, kind, message, details }: ExecutionEvent): z.output<typeof eventSchema> {
  return { seq, at: toTime(when), kind, message: message.slice(0, limits.text), details: formatDetails(details) };
}

function formatDetails(details: Record<string, unknown>): Record<string, z.output<typeof factSchema>> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name.slice(0, limits.name), formatFact(value)]),
  );
}

function formatFact(value: unknown): z.output<typeof factSchema> {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "string") return value.slice(0, limits.text);
  if (Array.isArray(value)) return value.slice(0, maxItems.facts).map((item) => String(item).slice(0, 4_096));
  return (JSON.stringify(value) ?? "").slice(0, limits.text);
}

function formatFile({ path: name, action, linesAdded, linesRemoved, via }: ExecutionFile): z.output<typeof fileSchema> {
  return { path: name, action, lines_added: linesAdded, lines_removed: linesRemoved, via };
}

type TestCounts = Pick<TestRun, "status" | "total" | "passed" | "failed" | "skipped" | "durationMs">;

export function formatCounts({
  status,
  total,
  passed,
  failed,
  skipped,
  durationMs,
}: TestCounts): z.output<typeof countsSchema> {
  return { status, total_tests: total, passed, failed, skipped, duration: `${(durationMs / 1_000).toFixed(1)}s` };
}

function formatTests(run: ExecutionRecord["tests"][number]): z.output<typeof testsSchema> {
  return { run_id: run.id, ...formatCounts(run), at: toTime(run.at) };
}

/** The latest, if there are too many for one result. */
export function formatEvents(events: readonly ExecutionEvent[]): z.output<typeof eventSchema>[] {
  return events.slice(-maxItems.events).map(formatEvent);
}

export function formatRecord(record: ExecutionRecord): z.output<typeof recordSchema> {
  return {
    ...formatExecution(record),
    timeline: formatEvents(record.events),
    files: record.files.slice(0, maxItems.files).map(formatFile),
    tests: record.tests.slice(-maxItems.tests).map(formatTests),
    issues: record.issues.slice(-maxItems.issues),
    ...(record.queue && { merge_queue: { ...record.queue, since: toTime(record.queue.since) } }),
  };
}
