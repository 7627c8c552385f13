import type { BaseMove } from "../../../../platform/git/work-model.ts";
import type { TaskStatus } from "../../model/task-model.ts";

/** How an execution ends. Stored as it is. */
export type ExecutionEnd = {
  status: "completed" | "failed" | "cancelled";
  /** Its branch was merged into the base, so nothing of it is needed any more. */
  merged: boolean;
  /** The branch stays, whatever it contains. */
  keepBranch: boolean;
  reason: string;
};

/** Work with git that takes more than one step. Stored as it is. */
export type IntendedStep =
  | { kind: "begin"; previous: TaskStatus }
  /** `aside`: files that are meant to stay out of the commit, although hooks could add them. */
  | { kind: "commit"; head: string; aside?: string[] }
  /** `move`: how the base and its files are moved, once that is known. */
  | { kind: "merge"; tip: string; move?: BaseMove }
  | { kind: "end"; ending: ExecutionEnd };

/** What a process was about to do, written before it began. */
export type Intent = { pid: number; mark: string; deed: IntendedStep };

/** Rows are written by this program only; a later version may know other steps. */
export function parseIntent(json: string): Intent {
  return JSON.parse(json);
}
