import * as z from "zod";
import { actionsSchema } from "../../../kernel/action-schema.ts";
import { eventKinds, executionOptions, issue } from "../model/execution-model.ts";
import { executionStatuses, limits } from "../model/limits.ts";

const id = z.string().max(limits.id);
const path = z.string().max(4_096);
const time = z.string().max(40);
const text = z.string().max(limits.text);
export const maxItems = { events: 4_000, files: 10_000, tests: 1_000, issues: 1_000, facts: 1_000 };
export const factSchema = z.union([text, z.number(), z.boolean(), z.null(), z.array(path).max(maxItems.facts)]);

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
  details: z.record(z.string().max(limits.name), factSchema),
});

export const eventsSchema = z.array(eventSchema).max(maxItems.events);

export const fileSchema = z.object({
  path,
  action: z.enum(["created", "modified", "deleted"]),
  lines_added: z.number(),
  lines_removed: z.number(),
  via: z.enum(["forge", "git"]),
});

/** The numbers of a test run. */
export const countsSchema = z.object({
  status: z.enum(["passed", "failed"]),
  total_tests: z.number(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  duration: z.string().max(20),
});

export const testsSchema = countsSchema.extend({ run_id: id, at: time });

export const recordSchema = executionSchema.extend({
  timeline: eventsSchema,
  files: z.array(fileSchema).max(maxItems.files),
  tests: z.array(testsSchema).max(maxItems.tests),
  issues: z.array(issue).max(maxItems.issues),
  merge_queue: z
    .object({ place: z.number(), waiting: z.number(), since: time, commit: z.string().max(64) })
    .optional()
    .describe("It waits to be merged"),
  omitted: z
    .object({
      timeline: z.number().optional(),
      files: z.number().optional(),
      tests: z.number().optional(),
      issues: z.number().optional(),
    })
    .optional(),
  next: actionsSchema,
});
