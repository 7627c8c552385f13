import type { Action } from "../../../../kernel/action.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { Execution } from "../../model/execution-model.ts";
import { countFiles, joinNames, maxNames } from "../join-names.ts";

const maxListed = 100;

function commit(input: Record<string, unknown>, why: string): Action {
  return { tool: "forge_commit_changes", input: { message: "MESSAGE", ...input }, why };
}

const commitNamed = commit({ files: ["PATH"] }, "to commit only these files");
const commitAll = commit({}, "to commit everything that belongs to the task");

export function uncommittedRest(paths: readonly string[], total: number): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `The task cannot be completed: ${countFiles(total)} of it ${total === 1 ? "is" : "are"} not committed: ${joinNames(paths)}. Nothing was done.`,
    {
      details: { uncommitted: paths.slice(0, maxListed), total },
      next: [
        commitAll,
        commit({ files: ["PATH"], complete: false }, "to commit only these files and continue working"),
      ],
    },
  );
}

/** `leftovers`: what the set-up command left behind and nothing has changed since. */
export function nothingToCommit(execution: Execution, leftovers: readonly string[] = []): ForgeError {
  const except = leftovers.length === 0 ? "" : ` except what the set-up command left behind (${joinNames(leftovers)})`;
  return new ForgeError(
    "CONFLICT_ERROR",
    `Nothing was changed in ${execution.id}${except}, so there is nothing to commit.`,
    {
      next: [
        ...(leftovers.length > 0 ? [commitNamed] : []),
        { tool: "forge_get_execution", input: { execution_id: execution.id }, why: "to see what git sees" },
        {
          tool: "forge_cancel_execution",
          input: { execution_id: execution.id },
          why: "to end it, if the task needs no change",
        },
      ],
    },
  );
}

export function unknownFiles(paths: readonly string[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `No such file: ${joinNames(paths)}. Nothing was committed.`, {
    details: { paths: paths.slice(0, maxNames) },
    next: ["Give paths from the execution's root, in full.", commitAll],
  });
}

export function tooManyChanges(total: number, max: number): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `${total} files are changed; at most ${max} can be committed at once.`, {
    details: { total, limit: max },
    next: ["Add generated files to .gitignore, then commit again."],
  });
}

/** A commit is hard to take back once it is shared. */
export function secretFiles(paths: readonly string[]): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `${joinNames(paths)} ${paths.length === 1 ? "is new and looks" : "are new and look"} like a secret. Nothing was committed.`,
    {
      details: { paths: paths.slice(0, maxListed) },
      next: [
        "Add files that do not belong in the repository to .gitignore, or delete them.",
        commit({ files: ["PATH"] }, "if they are not secrets: name them, and the user is asked to allow it"),
      ],
    },
  );
}

type ForeignPaths = {
  /** Written through Forge, and unchanged since. */
  own: readonly string[];
  /** Not written through Forge. */
  others: readonly string[];
  /** Written through Forge, and changed by someone else as well. */
  mixed: readonly string[];
};

/** `hasCommits`: the task can be completed with what is committed already. */
export function foreignChanges({ own, others, mixed }: ForeignPaths, hasCommits: boolean): ForgeError {
  const total = others.length + mixed.length;
  const what = [
    ...(others.length > 0 ? [`changed, but not through Forge's tools: ${joinNames(others)}`] : []),
    ...(mixed.length > 0
      ? [
          `written through Forge's tools, and also changed, staged or given another mode by someone else: ${joinNames(mixed)}`,
        ]
      : []),
  ];
  return new ForgeError(
    "CONFLICT_ERROR",
    `${countFiles(total)} may contain someone else's work: ${what.join("; ")}. Nothing was committed.`,
    {
      details: {
        others: others.slice(0, maxListed),
        changed_since: mixed.slice(0, maxListed),
        total,
        own: own.slice(0, maxListed),
      },
      next: [
        commit(
          { files: ["PATH"] },
          "to name what belongs to the task, including what your own commands changed. All other changes stay as they are",
        ),
        ...(own.length > 0 ? [`Written through Forge, and unchanged since: ${joinNames(own)}.`] : []),
        ...(hasCommits && own.length === 0
          ? [
              commit(
                { files: [] },
                "to complete the task with what is committed already; all other changes stay as they are",
              ),
            ]
          : []),
        "If you cannot tell whose changes they are, ask the user.",
      ],
    },
  );
}

/** They may be what keeps bad commits out, so a commit does not simply go around them. */
export function hooksChanged({ id, root }: Execution, hooks: readonly string[]): ForgeError {
  return new ForgeError(
    "TRUST_REQUIRED",
    `Nothing was committed: ${joinNames(hooks)} was changed or removed after the user trusted it as a git hook.`,
    {
      details: { execution_id: id, root, hooks: hooks.slice(0, 100) },
      next: [
        { command: "trust", why: "by the user, to review the hooks as they are now" },
        { tool: "forge_commit_changes", input: { message: "MESSAGE" }, why: "afterwards" },
      ],
    },
  );
}
