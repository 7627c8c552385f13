import { ForgeError } from "../../../kernel/errors.ts";
import { visible } from "../../../kernel/visible.ts";
import type { Execution } from "../model/execution-model.ts";

const maxNames = 20;

/** Names for people, and how many more there are. */
export function joinNames(names: readonly string[], most = maxNames): string {
  const shown = names
    .slice(0, most)
    .map((name) => visible(name))
    .join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

const formatTask = ({ blockId, taskId }: Pick<Execution, "blockId" | "taskId">) => `${blockId}/${taskId}`;

export function unknownExecution(id: string, nearest: readonly string[]): ForgeError {
  return new ForgeError("NOT_FOUND", `There is no execution ${visible(id.slice(0, 100))}.`, {
    details: { execution_id: id.slice(0, 100) },
    next: [
      ...(nearest.length > 0 ? [`Did you mean ${nearest.join(" or ")}?`] : []),
      "Call forge_list_executions: it shows those there are.",
    ],
  });
}

type HeldExecution = { execution: Execution; holder: string; until: string };

/** `elsewhere`: those of the same assistant that another connection is at. */
export function noOpenExecution(elsewhere: readonly HeldExecution[] = []): ForgeError {
  const [first] = elsewhere;
  const others = elsewhere.map(
    ({ execution, holder, until }) =>
      `${execution.id} of ${formatTask(execution)} is open, but held by ${visible(holder)} until ${until}`,
  );
  return new ForgeError(
    "CONFLICT_ERROR",
    first === undefined
      ? "You have no execution open, so there is nothing to do this in."
      : `No execution is open on this connection: ${others.slice(0, 3).join("; ")}.`,
    {
      ...(first && {
        details: {
          held: elsewhere.map(({ execution, holder, until }) => ({ execution_id: execution.id, holder, until })),
        },
      }),
      next: [
        ...(first ? ["Where that connection has ended, the claim ends by then; call forge_execute_task again."] : []),
        "Call forge_execute_task with the block and the task first; it opens one.",
        "forge_list_executions shows those that are open; name one with `execution_id`.",
      ],
    },
  );
}

export function ambiguousExecution(open: readonly Execution[]): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `You have ${open.length} executions open; say which is meant.`, {
    details: { executions: open.map(({ id, blockId, taskId, root }) => ({ id, task: `${blockId}/${taskId}`, root })) },
    next: [`Pass one of them as \`execution_id\`: ${joinNames(open.map(({ id }) => id))}.`],
  });
}

export function endedExecution(execution: Execution): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `Execution ${execution.id} has ended: it is ${execution.status}.`, {
    details: { execution_id: execution.id, status: execution.status },
    next: ["Call forge_execute_task to work on the task again."],
  });
}

const useWorkTree = 'Pass `options: {isolation: "worktree"}`: the task is then worked on in a folder of its own.';

export function uncommittedChanges(changed: { modified: readonly string[]; staged: readonly string[]; total: number }) {
  const { modified, staged, total } = changed;
  return new ForgeError(
    "CONFLICT_ERROR",
    `There are changes here that are not committed, in ${total} ${total === 1 ? "file" : "files"}: ${joinNames([...new Set([...staged, ...modified])])}. They are somebody's work and stay as they are, so nothing was started.`,
    {
      details: { modified: modified.slice(0, maxNames), staged: staged.slice(0, maxNames), total },
      next: [useWorkTree, "Or a person commits or stashes them first."],
    },
  );
}

export function tooManyUntracked(count: number): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `There are ${count} files here that git does not know: too many to tell them from those of the task, so nothing was started.`,
    {
      details: { untracked: count },
      next: [useWorkTree, "Or a person adds what is generated to .gitignore first."],
    },
  );
}

export function noBaseBranch(why: "detached" | "unborn"): ForgeError {
  const what = why === "detached" ? "HEAD is at a commit and on no branch" : "There is no commit yet";
  return new ForgeError(
    "CONFLICT_ERROR",
    `${what}, so there is nothing to begin a task's branch from and come back to.`,
    {
      details: { head: why },
      next:
        why === "detached"
          ? ["A person switches to the branch that the work is for.", useWorkTree]
          : ["A person makes the first commit."],
    },
  );
}

export function folderInUse(other: Execution): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `Task ${formatTask(other)} is being worked on in this folder already (${other.id}), so nothing was started.`,
    { details: { execution_id: other.id, task: formatTask(other) }, next: [useWorkTree] },
  );
}

export function noFreeBranchName(name: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `There are branches of the name ${name} and all that come after it.`, {
    next: ["A person deletes those that are merged."],
  });
}

export function worktreeNeedsBranch(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A work tree of its own needs a branch of its own.", {
    next: ['Leave out `create_branch: false`, or `isolation: "worktree"`.'],
  });
}

export function switchedBranch(execution: Execution, found: string | undefined): ForgeError {
  const wanted = execution.branch ?? execution.baseBranch ?? "";
  return new ForgeError(
    "CONFLICT_ERROR",
    `${execution.root} is on ${found ?? "no branch"}, not on ${wanted}: somebody has switched since. Nothing was done.`,
    {
      details: { expected: wanted, found: found ?? null },
      next: [`A person switches back to ${wanted}; then call this again.`],
    },
  );
}

export function preexistingFile(paths: readonly string[]): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `${joinNames(paths)} was here before the task was begun, and git does not hold it as it is: it is the person's own and stays as it is.`,
    { details: { paths: paths.slice(0, maxNames) }, next: ["Use another name."] },
  );
}

/** One that came while the task was worked on, by no tool of Forge. */
export function ignoredFile(path: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `git does not look at ${joinNames([path])}, which it was told to ignore or which is no regular file, and no tool of Forge wrote it: it may be somebody's own and stays as it is.`,
    { details: { paths: [path] }, next: ["Use another name."] },
  );
}

export function hiddenFile(path: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `git was told not to look at ${joinNames([path])} (assume-unchanged or skip-worktree), so what is in it may be the person's own; it stays as it is.`,
    {
      details: { paths: [path] },
      next: [
        "A person undoes it: `git update-index --no-assume-unchanged --no-skip-worktree` with the file's name.",
        useWorkTree,
      ],
    },
  );
}

export function nestedRepository(path: string, repository: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `${joinNames([path])} is in ${joinNames([repository])}, which is a repository of its own (a submodule, perhaps): the task's commits could not hold it. Nothing was written.`,
    {
      details: { path, repository },
      next: ["Use a path of this repository, or open that repository as a project of its own."],
    },
  );
}

export function foreignFolder({ id, root, branch }: Execution, projectRoot: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `Execution ${id} is said to be in ${visible(root)}, which is neither ${projectRoot} nor a work tree that Forge made for it. Nothing is read or written there.`,
    {
      details: { execution_id: id, root, project: projectRoot, branch },
      next: [
        "Call forge_cancel_execution with its id, which leaves that folder alone; then forge_execute_task again.",
        "Where the project was copied or moved: the execution goes on where it was begun.",
      ],
    },
  );
}

export function uncommittedRest(paths: readonly string[], total: number): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `The task cannot be completed while ${total === 1 ? "a change of it is" : `${total} changes of it are`} not committed: ${joinNames(paths)}. Nothing was done.`,
    {
      details: { uncommitted: paths.slice(0, 100), total },
      next: [
        "Leave `files` out to commit everything, or name these too.",
        "With `complete: false` what you named is committed and the work goes on.",
      ],
    },
  );
}

/** `leftovers`: what the set-up command left, and is as it left it. */
export function nothingToCommit(execution: Execution, leftovers: readonly string[] = []): ForgeError {
  const but = leftovers.length === 0 ? "" : ` but what the set-up command left (${joinNames(leftovers)})`;
  return new ForgeError(
    "CONFLICT_ERROR",
    `Nothing was changed in ${execution.id}${but}, so there is nothing to commit.`,
    {
      next: [
        ...(leftovers.length > 0 ? ["Name in `files` what of it belongs to the task."] : []),
        "Make the changes first; forge_get_execution shows what git sees.",
        "Where the task needs none, forge_cancel_execution ends it.",
      ],
    },
  );
}

export function unknownFiles(paths: readonly string[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${joinNames(paths)}: git sees no such file here. Nothing was committed.`, {
    details: { paths: paths.slice(0, maxNames) },
    next: ["Paths are relative to the execution's root, written out in full.", "Leave `files` out for all changes."],
  });
}

export function branchNameTaken(branch: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `The branch ${branch} was taken at this very moment. Nothing was started.`, {
    next: ["Call forge_execute_task again."],
  });
}

export function missingFolder({ id, root, branch }: Execution): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `The folder ${root} of execution ${id} is gone.`, {
    details: { execution_id: id, root, branch },
    next: ["Call forge_cancel_execution for it, then forge_execute_task; what was committed is still on its branch."],
  });
}

export function executionBusy({ id, stage }: Execution): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `Execution ${id} is just being changed (${stage}).`, {
    details: { execution_id: id, stage },
    next: ["Try again in a moment."],
  });
}

export function tooManyChanges(total: number, most: number): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `${total} files are changed; ${most} are the most that are committed at once.`,
    {
      details: { total, limit: most },
      next: ["Add what is generated to .gitignore, then commit again."],
    },
  );
}

export function invalidCursor(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "This is no cursor that forge_list_executions gave.", {
    next: ["Pass `next_cursor` of the answer before as it was, or leave `cursor` out for the newest."],
  });
}
