import type { Style } from "../../../kernel/definitions/command.ts";
import type { ExecutionStatus, TaskStatus } from "../model/limits.ts";

/** What all commands of the workbench have in common. */
export const commandFacts = {
  settings: ["project", "databaseUrl", "ledgerDays", "apiUrl", "token"],
  group: "tasks",
} as const;

export const pageOptions = {
  limit: { short: "n", help: "Maximum number (default: 50)." },
  cursor: { help: "Continue after the previous page, with the cursor that it printed." },
} as const;

/** Green is completed, cyan is in progress. */
export const taskColours: Record<TaskStatus, keyof Style> = {
  pending: "dim",
  in_progress: "cyan",
  completed: "green",
  failed: "red",
};

export const executionColours: Record<ExecutionStatus, keyof Style> = {
  running: "cyan",
  completed: "green",
  failed: "red",
  cancelled: "yellow",
};

export function formatTaskName({ block_id, id }: { block_id: string; id: string }): string {
  return `${block_id}/${id}`;
}
