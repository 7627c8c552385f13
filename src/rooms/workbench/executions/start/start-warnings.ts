import type { Execution, ExecutionOptions } from "../../model/execution-model.ts";
import { type ExecutionDeps, isInPlace } from "../deps.ts";

/** Options as they can be kept: what began at no branch has nothing to be merged into. */
export function adjustOptions(options: ExecutionOptions, { baseBranch }: { baseBranch?: string | undefined }) {
  return baseBranch === undefined ? { ...options, finish: "branch" as const } : options;
}

/** What was asked for anew and has shaped the execution already. */
export function warnOfFixedOptions({ options, branch }: Execution, given: Partial<ExecutionOptions>): string[] {
  const warnings: string[] = [];
  if (given.isolation !== undefined && given.isolation !== options.isolation)
    warnings.push(
      `isolation stays "${options.isolation}", not "${given.isolation}": that was decided when the task was begun. Cancel it to begin anew.`,
    );
  if (given.create_branch !== undefined && given.create_branch !== options.create_branch)
    warnings.push(
      `create_branch stays ${options.create_branch}${branch === undefined ? "" : ` (${branch})`}: that was decided when the task was begun. Cancel it to begin anew.`,
    );
  return warnings;
}

/** What the end of the task will come up against, said while there is time to put it right. */
export async function warnOfObstacles(
  parts: ExecutionDeps,
  execution: Execution,
  signal: AbortSignal,
): Promise<string[]> {
  const warnings: string[] = [];
  const { root, branch, baseBranch, options } = execution;
  const [knowsAuthor, untested] = await Promise.all([
    parts.workFor(root).knowsAuthor(signal),
    options.run_tests ? parts.settings.testsNotTrusted(root) : undefined,
  ]);
  if (baseBranch === undefined && !isInPlace(execution))
    warnings.push(
      `HEAD was on no branch, so there is nothing to merge into at the end: the work stays on ${branch} when the task is completed.`,
    );
  if (!knowsAuthor)
    warnings.push(
      "git does not know whose commits these are, so nothing can be committed yet. Ask the person to run `git config --global user.name` and `git config --global user.email`, each with theirs.",
    );
  if (untested !== undefined) warnings.push(`With run_tests nothing is merged until the tests may run. ${untested}`);
  return warnings;
}
