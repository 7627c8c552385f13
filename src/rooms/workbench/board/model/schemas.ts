import * as z from "zod";
import { actionsSchema } from "../../../../kernel/action-schema.ts";
import { limits, taskStatuses } from "../../model/limits.ts";
import { taskContent, taskStatus } from "../../model/task-model.ts";
import { maxEscapeFactor } from "./escape-texts.ts";

/** PostgreSQL cannot store such text in a column. */
const isStorableText = (given: string) => !given.includes("\0") && !/\p{Cs}/u.test(given);
const storableTextRule = "must be plain text";

export const nameSchema = z.string().trim().min(1).max(limits.name).refine(isStorableText, storableTextRule);
export const searchText = z.string().max(limits.name).refine(isStorableText, storableTextRule);
/** `next_cursor` of the previous page. */
export const cursor = z.string().max(100).optional();

const { shape } = taskContent;

/** Accepted, but not advertised: every byte of a list costs tokens. */
function rare<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<Schema> {
  return schema.optional().meta({ unadvertised: true });
}

/** What a task's author gives, with the names of `blocks_config.json`. */
export const taskFields = z.object({
  description: shape.description.optional(),
  acceptance_criteria: shape.acceptance_criteria.optional(),
  dependencies: z
    .array(z.string().min(1).max(limits.name).refine(isStorableText, storableTextRule))
    .max(limits.list)
    .optional()
    .describe("Tasks, block/task or blocks"),
  files_affected: shape.files_affected.optional(),
  estimated_effort: rare(shape.estimated_effort),
  function_signatures: rare(shape.function_signatures),
  testing_requirements: rare(shape.testing_requirements),
  ticket_id: rare(z.string().min(1).max(limits.id).refine(isStorableText, storableTextRule).nullable()),
});

const escapedText = (length: number) => z.string().max(length * maxEscapeFactor);
const escapedTexts = (length: number) => z.array(escapedText(length)).max(limits.list);

export const warnings = z.array(z.string().max(limits.text)).max(100).optional();
export const nextCursor = z.string().max(40).optional();
const claim = z.object({ holder: z.string().max(1_000), until: z.string().max(40) });
export const dependenciesStatus = z.record(escapedText(limits.name), z.enum([...taskStatuses, "unknown"]));

export const taskSummary = z.object({
  id: escapedText(limits.id),
  name: escapedText(limits.name),
  block_id: escapedText(limits.id),
  status: taskStatus,
  dependencies: escapedTexts(limits.name),
  dependencies_status: dependenciesStatus.optional(),
  ready: z.boolean().optional().describe("It can be executed now"),
  waits_for: z
    .array(escapedText(limits.line))
    .max(limits.list + 1)
    .optional(),
  claim: claim.optional(),
  revision: z.number(),
});

export const taskDetails = taskSummary.extend({
  block_name: escapedText(limits.name),
  description: escapedText(limits.text),
  acceptance_criteria: escapedTexts(limits.line),
  estimated_effort: escapedText(limits.name),
  files_affected: escapedTexts(limits.path),
  function_signatures: escapedTexts(limits.line),
  testing_requirements: escapedTexts(limits.line),
  related_blocks: z.array(escapedText(limits.name)).max(100),
  log: escapedText(limits.text),
  commit_id: escapedText(limits.name),
  ticket_id: escapedText(limits.id).optional(),
  updated_at: z.string().max(40),
});

const port = z.object({
  name: escapedText(limits.name),
  ctype: escapedText(limits.name),
  description: escapedText(limits.text),
});
const connectionList = (...names: string[]) => {
  const fields = Object.fromEntries(names.map((field) => [field, escapedText(limits.name).optional()]));
  return z.array(z.object(fields)).max(limits.list);
};

export const connectionFields = {
  input_connections: ["from_module", "output_type", "input_id"],
  output_connections: ["to_module", "input_type", "output_id"],
} as const;

const count = z.number();
export const blockSchema = z.object({
  id: escapedText(limits.id),
  name: escapedText(limits.name),
  description: escapedText(limits.text),
  status: z.enum(["active", "completed", "failed"]),
  task_counts: z.object({ pending: count, in_progress: count, completed: count, failed: count }),
  inputs: z.array(port).max(limits.list),
  outputs: z.array(port).max(limits.list),
  connections: z
    .object({
      input_connections: connectionList(...connectionFields.input_connections),
      output_connections: connectionList(...connectionFields.output_connections),
    })
    .optional(),
  tasks: z.array(taskSummary).max(limits.page).optional(),
  tasks_omitted: z.number().optional().describe("Tasks that are not listed"),
  revision: z.number(),
});

/** A task that was created or changed, with what is wrong with its dependencies. */
export const changedTask = z.object({ task: taskSummary, warnings });

export const changedBlock = z.object({
  block_id: z.string().max(limits.id),
  name: z.string().max(limits.name),
  revision: z.number(),
});

export const taskPage = z.object({
  tasks: z.array(taskSummary).max(limits.page),
  total: z.number(),
  next_cursor: nextCursor,
  warnings,
  next: actionsSchema,
});
