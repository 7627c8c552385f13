import { ForgeError } from "../../../kernel/errors.ts";
import type { RepositoryWork } from "../../../platform/git/git.ts";
import type { WorkDone } from "../model/ports.ts";

/** The tip of the ticket's latest branch that is not merged: work that is open, or waits for a pull request; else HEAD. */
export async function findTicketHead(
  work: RepositoryWork,
  done: readonly WorkDone[] | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { branches, commits } = work;
  const { commit } = await work.head(signal);
  const unmerged = done?.filter(({ status }) => status === "started" || status === "committed") ?? [];
  for (const { branch } of unmerged.toReversed()) {
    const tip = branch === undefined ? undefined : await branches.tip(branch, signal);
    if (tip === undefined) continue;
    if (commit === undefined || !(await commits.isInHistory(tip, [commit], signal))) return tip;
  }
  return commit;
}

/** Whether a commit is one of this work, or of the branch that is checked out. */
export async function isInWork(
  work: RepositoryWork,
  commit: string,
  done: readonly WorkDone[] | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const tip = await findTicketHead(work, done, signal);
  if (tip === commit) return true;
  const known = [tip, (await work.head(signal)).commit].flatMap((one) => one ?? []);
  return work.commits.isInHistory(commit, known, signal);
}

/** The same; undefined where the repository cannot be read. */
export async function tryFindHead(find: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof ForgeError && error.code !== "CANCELLED") return undefined;
    throw error;
  }
}
