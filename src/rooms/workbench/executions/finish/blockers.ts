import type { TestRun } from "../../../../commons/test-runs/test-run.ts";
import type { Action } from "../../../../kernel/action.ts";
import type { Execution } from "../../model/execution-model.ts";
import { joinNames } from "../join-names.ts";
import { summarizeRun } from "../timeline/test-events.ts";

/** What prevents a commit from being merged, and what to do about it. */
export type Blocker = { why: string; next: Action[] };

function commit(files: string[] | undefined, why: string): Action {
  return { tool: "forge_commit_changes", input: { message: "MESSAGE", ...(files && { files }) }, why };
}

export function hookAddedFiles(paths: readonly string[]): Blocker {
  return {
    why: `Not merged: a hook added ${joinNames(paths)} to the commit, which may be someone else's work.`,
    next: [
      "Look at these files together with the user.",
      commit(["PATH"], "to merge them, once they are named"),
      "Otherwise the user removes them from the branch.",
    ],
  };
}

/** `foreign`: files that someone may have saved in the meantime; committing these is not advisable. */
export function changedAfterCommit(paths: readonly string[], foreign: readonly string[]): Blocker {
  if (foreign.length === 0)
    return {
      why: `${joinNames(paths)} changed after the commit, perhaps by a hook.`,
      next: [commit(undefined, "to commit that too")],
    };
  return {
    why: `${joinNames(paths)} changed after the commit, by a hook or by someone who works here.`,
    next: [
      `Look at ${joinNames(foreign)}.`,
      commit([], "to complete the task without that change, which stays in the folder"),
      commit(["PATH"], "to commit it too"),
    ],
  };
}

export function preexistingCommitted(paths: readonly string[]): Blocker {
  return {
    why: `Not merged: ${joinNames(paths)} existed before the task started, unknown to git, and is now in the commit; perhaps a hook added it.`,
    next: ["The user removes it from the branch, or merges the branch by hand."],
  };
}

/** A run that "passed" without a test. */
export function nothingTested({ blockId, taskId }: Execution, run: TestRun): Blocker {
  return {
    why: [`Not merged: ${summarizeRun(run)}.`, ...run.notes].join(" "),
    next: [
      commit(undefined, "after adding a test"),
      'If the project has tests that were not found, the user names the command that runs them as "testCommand" in .forge/workbench.json.',
      {
        tool: "forge_execute_task",
        input: { block_id: blockId, task_id: taskId, options: { run_tests: false } },
        why: "to merge without tests, if the user agrees; then commit again",
      },
    ],
  };
}
