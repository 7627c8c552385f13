import * as z from "zod";
import type { TestRun } from "../../../commons/test-runs/test-run.ts";
import {
  type Execution,
  type ExecutionEvent,
  type ExecutionFile,
  type ExecutionRecord,
  eventKinds,
  executionOptions,
  issue,
} from "../model/execution-model.ts";
import { executionStatuses, limits } from "../model/limits.ts";
import { executionReference } from "./timeline/timeline.ts";

/** Executions as they go over the wire. */

const id = z.string().max(limits.id);
const path = z.string().max(4_096);
const time = z.string().max(40);
const text = z.string().max(limits.text);
const maxItems = { events: 4_000, files: 10_000, tests: 1_000, issues: 1_000, facts: 1_000 };
const fact = z.union([text, z.number(), z.boolean(), z.null(), z.array(path).max(maxItems.facts)]);

export const warningsSchema = z.array(text).max(limits.list).optional();

export const executionSchema = z.object({
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

export const eventSchema = z.object({
  seq: z.number(),
  at: time,
  kind: z.enum(eventKinds),
  message: text,
  details: z.record(z.string().max(limits.name), fact),
});

export const eventsSchema = z.array(eventSchema).max(maxItems.events);

const fileSchema = z.object({
  path,
  action: z.enum(["created", "modified", "deleted"]),
  lines_added: z.number(),
  lines_removed: z.number(),
  via: z.enum(["forge", "git"]),
});

/** What a run of the tests showed, in numbers. */
export const countsSchema = z.object({
  status: z.enum(["passed", "failed"]),
  total_tests: z.number(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  duration: z.string().max(20),
});

const testsSchema = countsSchema.extend({ run_id: id, at: time });

export const recordSchema = executionSchema.extend({
  timeline: eventsSchema,
  files: z.array(fileSchema).max(maxItems.files),
  tests: z.array(testsSchema).max(maxItems.tests),
  issues: z.array(issue).max(maxItems.issues),
});

/** What a call on an execution is about, as far as it was named. */
export function executionAbout({ execution_id }: { execution_id?: string | undefined }): string[] {
  return execution_id === undefined ? [] : [executionReference(execution_id)];
}

const at = (ms: number) => new Date(ms).toISOString();

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
    started_at: at(execution.startedAt),
    ...(endedAt !== undefined && { ended_at: at(endedAt) }),
    ...(commit !== undefined && { commit_hash: commit }),
  };
}

export function formatEvent({ seq, at: when, kind, message, details }: ExecutionEvent): z.output<typeof eventSchema> {
  return { seq, at: at(when), kind, message: message.slice(0, limits.text), details: formatDetails(details) };
}

function formatDetails(details: Record<string, unknown>): Record<string, z.output<typeof fact>> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name.slice(0, limits.name), formatFact(value)]),
  );
}

function formatFact(value: unknown): z.output<typeof fact> {
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
  return { run_id: run.id, ...formatCounts(run), at: at(run.at) };
}

/** The latest, where there are more than an answer holds. */
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
  };
}
