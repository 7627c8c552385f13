import type { Advice } from "../../model/advice.ts";
import type { Execution, ExecutionOptions } from "../../model/execution-model.ts";
import { type ExecutionDeps, isInPlace } from "../execution-deps.ts";

/** Without a base branch there is nothing to merge into. */
export function adjustOptions(options: ExecutionOptions, { baseBranch }: { baseBranch?: string | undefined }) {
  return baseBranch === undefined ? { ...options, finish: "branch" as const } : options;
}

/** Options of a resumed execution that cannot be changed any more. */
export function warnOfFixedOptions({ options, branch }: Execution, given: Partial<ExecutionOptions>): string[] {
  const warnings: string[] = [];
  const warn = (option: string, value: string) =>
    warnings.push(
      `${option} stays ${value}: it was decided when the task was started. Cancel the execution to start again.`,
    );
  if (given.isolation !== undefined && given.isolation !== options.isolation)
    warn("isolation", `"${options.isolation}", not "${given.isolation}"`);
  if (given.create_branch !== undefined && given.create_branch !== options.create_branch)
    warn("create_branch", `${options.create_branch}${branch === undefined ? "" : ` (${branch})`}`);
  return warnings;
}

/** What will prevent the commit or the merge, while there is time to fix it. */
export async function findObstacles(deps: ExecutionDeps, execution: Execution, signal: AbortSignal): Promise<Advice> {
  const advice: Advice = { warnings: [], next: [] };
  const { root, branch, baseBranch, options } = execution;
  const [knowsAuthor, untrusted] = await Promise.all([
    deps.workFor(root).commits.hasAuthor(signal),
    options.run_tests ? deps.settings.findUntrustedTests(root) : undefined,
  ]);
  if (baseBranch === undefined && !isInPlace(execution))
    advice.warnings.push(
      `HEAD is detached, so there is no branch to merge into: the work stays on ${branch} when the task is completed.`,
    );
  if (!knowsAuthor) {
    advice.warnings.push("git does not know who the author is, so nothing can be committed yet.");
    advice.next.push(
      "The user sets a name and an email address with `git config --global user.name NAME` and `git config --global user.email ADDRESS`.",
    );
  }
  if (untrusted) {
    advice.warnings.push(`With run_tests, nothing is merged until the tests can run. ${untrusted.message}`);
    advice.next.push(...(untrusted.next ?? []));
  }
  return advice;
}
