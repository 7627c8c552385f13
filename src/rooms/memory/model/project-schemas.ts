import * as z from "zod";
import { maxEscapeFactor } from "../../../kernel/text/escape-text.ts";
import { maxItems, maxText } from "../bmad/bmad-files.ts";
import { categories, severities } from "../bmad/museum.ts";

/** What a file says, cut where it was read, and perhaps with escapes. */
export const text = z.string().max(maxText * maxEscapeFactor);

export function list<Item extends z.ZodType>(item: Item) {
  return z.array(item).max(maxItems);
}

export const contextItem = z.object({ text, source: text, date: text.optional() });

export const agentView = z.object({
  id: text,
  name: text.optional(),
  title: text.optional(),
  icon: text.optional(),
  tag: text.optional(),
  description: text.optional(),
  source: text,
});

/** Files that are there and cannot be used. */
export const problems = list(z.object({ file: text, why: text }));

export const failureView = z.object({
  title: text,
  category: z.enum(categories).optional(),
  severity: z.enum(severities).optional(),
  date: text.optional(),
  agent: text.optional(),
  what_happened: text.optional(),
  root_cause: text.optional(),
  impact: text.optional(),
  lesson: text.optional(),
  rule: text.optional(),
  source: text,
  fingerprint: text.optional(),
  count: z.number().optional(),
  files: list(text).optional(),
  first_at: text.optional(),
  last_at: text.optional(),
});

const step = z.union([z.number(), text]);

export const runView = z.object({
  run_id: text,
  branch: text,
  status: text,
  workflow: text.optional(),
  started_at: text.optional(),
  last_checkpoint: text.optional(),
  current_step: step.optional(),
  total_steps: z.number().optional(),
  steps_completed: list(z.number()).optional(),
  resume_from_step: step.optional(),
  checkpoint_id: text.optional(),
  issues: list(text).optional(),
  artefacts: list(z.object({ step: step.optional(), name: text.optional(), path: text.optional() })).optional(),
  nodes: list(
    z.object({
      id: text,
      label: text.optional(),
      agent: text.optional(),
      status: text.optional(),
      depends_on: list(text).optional(),
    }),
  ).optional(),
  source: text,
});

export const sprintView = z.object({
  project: text.optional(),
  last_updated: text.optional(),
  counts: z.record(z.string().max(200 * maxEscapeFactor), z.number()),
  epics: list(
    z.object({
      id: text,
      status: text.optional(),
      line: z.number().optional(),
      retrospective: text.optional(),
      stories: list(z.object({ id: text, status: text, line: z.number().optional() })),
    }),
  ),
  source: text,
});

export const sessionView = z.object({
  branch: text,
  status: z.enum(["active", "completed", "failed"]),
  purpose: text.optional(),
  created_at: text.optional(),
  created_by: text.optional(),
  parent_branch: text.optional(),
  runs: z.number(),
  latest_run: z.object({ run_id: text, status: text }).optional(),
  source: text,
});
