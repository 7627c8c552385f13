import { ForgeError } from "../../../../kernel/errors.ts";
import type { Execution } from "../../model/execution-model.ts";
import { joinNames } from "../join-names.ts";

const commitAgain = { tool: "forge_commit_changes", input: { message: "MESSAGE" } };

export function mergeConflict(execution: Execution, files: readonly string[]): ForgeError {
  const { id, branch, baseBranch, root, blockId, taskId, commit } = execution;
  return new ForgeError(
    "CONFLICT_ERROR",
    `${branch} and ${baseBranch} both changed ${joinNames(files)} in the same places. Nothing was merged; the commit is on ${branch}.`,
    {
      details: {
        execution_id: id,
        branch,
        base: baseBranch,
        files: files.slice(0, 100),
        ...(commit !== undefined && { commit_hash: commit }),
        branch_merged: false,
      },
      next: [
        `In ${root}, run \`git merge ${baseBranch}\`, resolve the conflicts in these files, and run \`git commit\`.`,
        { ...commitAgain, why: `afterwards, or once the user has merged ${branch} by hand` },
        {
          tool: "forge_execute_task",
          input: { block_id: blockId, task_id: taskId, options: { finish: "branch" } },
          why: "to leave the branch for the user to merge; then commit again",
        },
      ],
    },
  );
}

/** The same, with `rollback_on_failure`: the execution has ended. `kept`: what else stays, and where. */
export function endedByConflict(execution: Execution, conflict: ForgeError, kept: readonly string[]): ForgeError {
  const { branch, baseBranch, blockId, taskId } = execution;
  return new ForgeError(
    "CONFLICT_ERROR",
    [`${conflict.message} The execution has ended (rollback_on_failure), and the task has failed.`, ...kept].join(" "),
    {
      details: { ...conflict.details, execution_status: "failed" },
      next: [
        `The user can merge ${branch} by hand: on ${baseBranch}, run \`git merge ${branch}\`, resolve the conflicts in these files, and run \`git commit\`.`,
        {
          tool: "forge_execute_task",
          input: { block_id: blockId, task_id: taskId },
          why: `to start again from ${baseBranch} on a new branch. There, \`git merge ${branch}\` brings the commits over`,
        },
      ],
      cause: conflict,
    },
  );
}
