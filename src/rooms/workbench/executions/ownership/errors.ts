import { ForgeError } from "../../../../kernel/errors.ts";
import { visible } from "../../../../kernel/text/visible.ts";
import type { Execution } from "../../model/execution-model.ts";
import { joinNames, maxNames } from "../join-names.ts";

export function switchedBranch(execution: Execution, found: string | undefined): ForgeError {
  const wanted = execution.branch ?? execution.baseBranch ?? "";
  return new ForgeError(
    "CONFLICT_ERROR",
    `${execution.root} is now on ${found ?? "no branch"} instead of ${wanted}: someone has switched branches. Nothing was done.`,
    {
      details: { expected: wanted, found: found ?? null },
      next: [`Have the folder switched back to ${wanted}, then try again.`],
    },
  );
}

export function preexistingFile(paths: readonly string[]): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `${joinNames(paths)} existed before the task started and is not committed in its current form, so it belongs to the user. Forge did not change it.`,
    { details: { paths: paths.slice(0, maxNames) }, next: ["Use another file name."] },
  );
}

/** A file that came while the task was worked on, and that no tool of Forge wrote. */
export function ignoredFile(path: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `git ignores ${joinNames([path])} (or it is not a regular file), and no tool of Forge wrote it, so it may belong to the user. Forge did not change it.`,
    { details: { paths: [path] }, next: ["Use another file name."] },
  );
}

export function hiddenFile(path: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `git was told not to look at ${joinNames([path])} (assume-unchanged or skip-worktree), so it may contain the user's own changes. Forge did not change it.`,
    {
      details: { paths: [path] },
      next: [
        "The user can undo that with `git update-index --no-assume-unchanged --no-skip-worktree FILE`.",
        {
          tool: "forge_execute_task",
          input: { block_id: "BLOCK", task_id: "TASK", options: { isolation: "worktree" } },
          why: "to work in a separate folder, after cancelling this execution",
        },
      ],
    },
  );
}

export function nestedRepository(path: string, repository: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `${joinNames([path])} is in ${joinNames([repository])}, which is a repository of its own (perhaps a submodule), so the task's commits cannot contain it. Nothing was written.`,
    {
      details: { path, repository },
      next: ["Use a path in this repository, or open the other repository as a project of its own."],
    },
  );
}

export function foreignFolder({ id, root, branch }: Execution, projectRoot: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `Execution ${id} names the folder ${visible(root)}, which is neither ${projectRoot} nor a work tree that Forge created for it. Forge does not read or write there.`,
    {
      details: { execution_id: id, root, project: projectRoot, branch },
      next: [
        {
          tool: "forge_cancel_execution",
          input: { execution_id: id },
          why: "to end it; that folder is left alone. Then start the task again",
        },
        "If the project was copied or moved, continue the execution in the original folder.",
      ],
    },
  );
}

export function missingFolder({ id, root, branch }: Execution): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `The folder ${root} of execution ${id} no longer exists.`, {
    details: { execution_id: id, root, branch },
    next: [
      {
        tool: "forge_cancel_execution",
        input: { execution_id: id },
        why: "to end it, then start the task again. Its commits are still on its branch",
      },
    ],
  });
}
