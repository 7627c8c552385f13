import * as z from "zod";
import { categories, severities } from "../bmad/museum.ts";

/** Where an item is written: `path:line`. */
export const source = z.string();

export const contextItem = z.object({ text: z.string(), source, date: z.string().optional() });

export const agentView = z.object({
  id: z.string(),
  name: z.string().optional(),
  title: z.string().optional(),
  icon: z.string().optional(),
  tag: z.string().optional(),
  description: z.string().optional(),
  source,
});

/** Files that are there and cannot be used. */
export const problems = z.array(z.object({ file: z.string(), why: z.string() }));

export const failureView = z.object({
  title: z.string(),
  category: z.enum(categories).optional(),
  severity: z.enum(severities).optional(),
  date: z.string().optional(),
  agent: z.string().optional(),
  what_happened: z.string().optional(),
  root_cause: z.string().optional(),
  impact: z.string().optional(),
  lesson: z.string().optional(),
  rule: z.string().optional(),
  source,
  fingerprint: z.string().optional(),
  count: z.number().optional(),
  files: z.array(z.string()).optional(),
  first_at: z.string().optional(),
  last_at: z.string().optional(),
});

const step = z.union([z.number(), z.string()]);

export const runView = z.object({
  run_id: z.string(),
  branch: z.string(),
  status: z.string(),
  workflow: z.string().optional(),
  started_at: z.string().optional(),
  last_checkpoint: z.string().optional(),
  current_step: step.optional(),
  total_steps: z.number().optional(),
  steps_completed: z.array(z.number()).optional(),
  resume_from_step: step.optional(),
  checkpoint_id: z.string().optional(),
  issues: z.array(z.string()).optional(),
  artefacts: z
    .array(z.object({ step: step.optional(), name: z.string().optional(), path: z.string().optional() }))
    .optional(),
  nodes: z
    .array(
      z.object({
        id: z.string(),
        label: z.string().optional(),
        agent: z.string().optional(),
        status: z.string().optional(),
        depends_on: z.array(z.string()).optional(),
      }),
    )
    .optional(),
  source,
});

export const sprintView = z.object({
  project: z.string().optional(),
  last_updated: z.string().optional(),
  counts: z.record(z.string(), z.number()),
  epics: z.array(
    z.object({
      id: z.string(),
      status: z.string().optional(),
      retrospective: z.string().optional(),
      stories: z.array(z.object({ id: z.string(), status: z.string() })),
    }),
  ),
  source,
});

export const sessionView = z.object({
  branch: z.string(),
  status: z.enum(["active", "completed", "failed"]),
  purpose: z.string().optional(),
  created_at: z.string().optional(),
  created_by: z.string().optional(),
  parent_branch: z.string().optional(),
  runs: z.number(),
  latest_run: z.object({ run_id: z.string(), status: z.string() }).optional(),
  source,
});
