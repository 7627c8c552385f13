import type { Move } from "../../../../platform/git/work-model.ts";
import type { TaskStatus } from "../../model/task-model.ts";

/** How an execution is to end, apart from what git makes of it. */
export type ExecutionEnd = {
  status: "completed" | "failed" | "cancelled";
  /** Its branch was merged into the base: nothing of it is needed any more. */
  merged: boolean;
  /** The branch stays, whatever is in it. */
  keepBranch: boolean;
  reason: string;
};

/** Something with git that is not done in one step. */
export type IntendedStep =
  | { kind: "begin"; previous: TaskStatus }
  /** `aside`: what is to stay out of it, where hooks could take it in all the same. */
  | { kind: "commit"; head: string; aside?: string[] }
  /** `move`: how the base and its files are moved, once that is known. */
  | { kind: "merge"; tip: string; move?: Move }
  | { kind: "end"; ending: ExecutionEnd };

/** What a process was about to do, written before it began. */
export type Intent = { pid: number; mark: string; deed: IntendedStep };

/** Rows are written by this program alone; one of a later version may know other deeds. */
export function parseIntent(json: string): Intent {
  return JSON.parse(json);
}
