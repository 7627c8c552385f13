import type { Principal } from "../../../../kernel/principal.ts";
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

/** A commit that waits to be merged. `run`: the test run on its branch; `by`: who asked for it. */
export type QueuedMerge = {
  kind: "queue";
  tip: string;
  at: number;
  run?: string | undefined;
  by: Pick<Principal, "kind" | "id" | "name" | "agent" | "instance">;
};

/** Work with git that takes more than one step. Stored as it is. */
export type IntendedStep =
  | { kind: "begin"; previous: TaskStatus }
  /** `aside`: files that are meant to stay out of the commit, although hooks could add them. */
  | { kind: "commit"; head: string; aside?: string[] }
  /** `move`: how the base and its files are moved, once that is known. */
  | { kind: "merge"; tip: string; move?: BaseMove; queued?: QueuedMerge }
  /** Not begun: it waits for its turn, in this process or a later one. */
  | QueuedMerge
  | { kind: "end"; ending: ExecutionEnd };

/** What a process was about to do, written before it began. */
export type Intent = { pid: number; mark: string; deed: IntendedStep };

/** Rows are written by this program only; a later version may know other steps. */
export function parseIntent(json: string): Intent {
  return JSON.parse(json);
}

/** Undefined unless this execution's commit waits to be merged. */
export function findQueuedMerge(intent: string | null): QueuedMerge | undefined {
  const deed = intent === null ? undefined : parseIntent(intent).deed;
  return deed?.kind === "queue" ? deed : undefined;
}
