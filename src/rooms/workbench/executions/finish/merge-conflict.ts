import { ForgeError } from "../../../../kernel/errors.ts";
import type { Execution } from "../../model/execution-model.ts";
import { joinNames } from "../errors.ts";
import { describeKept } from "./messages.ts";

export function mergeConflict(execution: Execution, files: readonly string[]): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `${execution.branch} and ${execution.baseBranch} have changed the same places: ${joinNames(files)}. Nothing was merged; the commit is on ${execution.branch}.`,
    {
      details: {
        execution_id: execution.id,
        branch: execution.branch,
        base: execution.baseBranch,
        files: files.slice(0, 100),
        ...(execution.commit !== undefined && { commit_hash: execution.commit }),
        branch_merged: false,
      },
      next: [
        `With a shell of your own, in ${execution.root}: \`git merge ${execution.baseBranch}\`, make these files say what both mean, \`git commit\`, then call forge_commit_changes again.`,
        `Or a person merges ${execution.branch} by hand; forge_commit_changes completes the task then.`,
        'Or leave the branch to them: forge_execute_task again with `options: {finish: "branch"}`, then forge_commit_changes.',
      ],
    },
  );
}

/** The same where the execution has ended with it. `kept`: what else of it stays, and where. */
export function endedByConflict(execution: Execution, conflict: ForgeError, kept: readonly string[]): ForgeError {
  const { branch, baseBranch } = execution;
  const others = kept.filter((text) => !text.startsWith(`branch ${branch}: it was asked`));
  const rest = others.length === 0 ? "" : ` ${describeKept(others).join(" ")}`;
  return new ForgeError(
    "CONFLICT_ERROR",
    `${conflict.message} The execution has ended (rollback_on_failure), and the task has failed.${rest}`,
    {
      details: { ...conflict.details, execution_status: "failed" },
      next: [
        `A person merges ${branch} by hand: \`git merge ${branch}\` on ${baseBranch}, make these files say what both mean, \`git commit\`.`,
        `Or call forge_execute_task again: it begins from ${baseBranch} on a new branch. With a shell of your own, \`git merge ${branch}\` in its root brings the commits over; make these files say what both mean, \`git commit\`, then call forge_commit_changes.`,
      ],
      cause: conflict,
    },
  );
}
