import type { Style } from "../../../../kernel/definitions/command.ts";
import type { BlockResult } from "../results.ts";

export const blockColours: Record<BlockResult["status"], keyof Style> = {
  active: "cyan",
  completed: "green",
  failed: "red",
};

/** Completed tasks of all tasks: `2/3`. */
export function formatProgress({ task_counts: { pending, in_progress, completed, failed } }: BlockResult): string {
  return `${completed}/${pending + in_progress + completed + failed}`;
}
