import * as z from "zod";
import type { Claim } from "../../../commons/claims/index.ts";
import type { Advice } from "./advice.ts";
import { limits, type StatusSource, type TaskStatus, taskStatuses } from "./limits.ts";

export type { TaskStatus } from "./limits.ts";
export const taskStatus = z.enum(taskStatuses);

export const blockId = z.string().min(1).max(limits.id).describe("Id or name");
export const taskId = z.string().min(1).max(limits.id);
/** Default: the caller's latest open execution. */
export const executionId = z.string().min(1).max(limits.id).optional();

const line = z.string().max(limits.line);
const lines = z.array(line).max(limits.list);

export const port = z.object({
  name: z.string().max(limits.name),
  ctype: z.string().max(limits.name).default(""),
  description: z.string().max(limits.text).default(""),
});

/** What a task says, with the names of `blocks_config.json`. */
export const taskContent = z.object({
  description: z.string().max(limits.text),
  acceptance_criteria: lines,
  /** Ids of tasks or blocks, or names of blocks, as they were written. */
  dependencies: z.array(z.string().min(1).max(limits.name)).max(limits.list),
  estimated_effort: z.string().max(limits.name),
  files_affected: z.array(z.string().max(limits.path)).max(limits.list),
  function_signatures: lines,
  testing_requirements: lines,
  log: z.string().max(limits.text),
});
export type TaskContent = z.output<typeof taskContent>;
/** Some of it; other fields stay as they are. */
export type PartialTaskContent = { [Field in keyof TaskContent]?: TaskContent[Field] | undefined };

export type Task = TaskContent & {
  id: string;
  name: string;
  blockId: string;
  blockName: string;
  status: TaskStatus;
  /** The commit that completed it; empty before. */
  commitId: string;
  /** The ticket that it belongs to. */
  ticketId?: string;
  revision: number;
  createdAt: number;
  updatedAt: number;
  claim?: Claim;
};

export type TaskSummary = Pick<Task, "id" | "name" | "blockId" | "status" | "dependencies" | "revision" | "claim"> & {
  /** By dependency, as written; only if requested. */
  dependenciesStatus?: Record<string, TaskStatus | "unknown">;
  /** Whether it can be executed now, and if not, why. */
  ready?: boolean;
  waitsFor?: string[];
};

export type TaskPage = Advice & { tasks: TaskSummary[]; total: number; nextCursor?: string };

export type TaskFilter = {
  block?: string | undefined;
  status?: TaskStatus[] | undefined;
  /** Only those that can be executed now. */
  ready?: boolean | undefined;
  text?: string | undefined;
  includeDependencies?: boolean | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
};

type BlockConnections = {
  input_connections: Record<string, unknown>[];
  output_connections: Record<string, unknown>[];
};

export type BlockPage = Advice & { blocks: Block[]; total: number; nextCursor?: string };

export type Block = {
  id: string;
  name: string;
  description: string;
  inputs: z.output<typeof port>[];
  outputs: z.output<typeof port>[];
  connections: BlockConnections;
  /** Number of tasks by status. */
  tasks: Record<TaskStatus, number>;
  revision: number;
};

/** A dependency of a task, and what of it is not completed. */
export type DependencyState = {
  /** As written. */
  ref: string;
  status: TaskStatus | "unknown";
  /** The tasks that are not completed: one, or those of a block. */
  open: { blockId: string; taskId: string; name: string; ready: boolean }[];
};

export type BlockFilter = {
  text?: string | undefined;
  status?: "active" | "completed" | "failed" | undefined;
  hasTasks?: boolean | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};

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

export type ImportTally = { added: number; updated: number; unchanged: number };
export type ImportOutcome = {
  blocks: ImportTally;
  tasks: ImportTally;
  /** Blocks and tasks that are not in the file; they stay on the board. */
  kept: string[];
  warnings: string[];
};

export type ImportRequest = {
  /** A file other than the project's own `blocks_config.json`. */
  other?: { text: string; name: string } | undefined;
  statuses?: StatusSource | undefined;
  /** Report what would change, and change nothing. */
  dryRun?: boolean | undefined;
};
