import type { Action } from "../../../../kernel/action.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { Execution } from "../../model/execution-model.ts";
import { countFiles, joinNames, maxNames } from "../join-names.ts";

const useWorktree: Action = {
  tool: "forge_execute_task",
  input: { block_id: "BLOCK", task_id: "TASK", options: { isolation: "worktree" } },
  why: "to work in a separate folder",
};

export function uncommittedChanges({
  modified,
  staged,
  total,
}: {
  modified: readonly string[];
  staged: readonly string[];
  total: number;
}): ForgeError {
  const names = joinNames([...new Set([...staged, ...modified])]);
  return new ForgeError(
    "CONFLICT_ERROR",
    `There are uncommitted changes in ${countFiles(total)}: ${names}. They may be someone's work, so nothing was started.`,
    {
      details: { modified: modified.slice(0, maxNames), staged: staged.slice(0, maxNames), total },
      next: [useWorktree, "If the changes are yours, commit or stash them first."],
    },
  );
}

export function tooManyUntracked(count: number): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `There are ${count} untracked files, too many to tell them from those of the task. Nothing was started.`,
    { details: { untracked: count }, next: [useWorktree, "Or add generated files to .gitignore first."] },
  );
}

export function noBaseBranch(head: "detached" | "unborn"): ForgeError {
  const why = head === "detached" ? "HEAD is detached" : "The repository has no commit yet";
  return new ForgeError("CONFLICT_ERROR", `${why}, so there is no branch to start the task from.`, {
    details: { head },
    next:
      head === "detached" ? ["Switch to the branch that the work is for.", useWorktree] : ["Make the first commit."],
  });
}

export function folderInUse({ id, blockId, taskId, root }: Execution): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `Execution ${id} of ${blockId}/${taskId} is open in ${root}. Only one task at a time can be worked on in a folder.`,
    {
      details: { execution_id: id, task: `${blockId}/${taskId}` },
      next: [useWorktree],
    },
  );
}

export function noFreeBranchName(name: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `${name} and the names that follow it are all taken.`, {
    next: ["Delete branches that are merged."],
  });
}

export function branchNameTaken(branch: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `Another call has just created the branch ${branch}. Nothing was started.`, {
    next: ["Try again."],
  });
}

export function worktreeNeedsBranch(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A separate work tree needs its own branch.", {
    next: ["Choose one of the two: a separate work tree, or work without a branch."],
  });
}
