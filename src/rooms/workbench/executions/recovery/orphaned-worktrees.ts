import { basename } from "node:path";
import { isAlive } from "../../../../platform/host/lifecycle.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import { findCandidateOwner } from "../finish/candidate-name.ts";
import { describeRemoval } from "../finish/messages.ts";

/** Work trees in Forge's folders that belong to no open execution. They are reported, never removed: they may contain work. */
export async function findOrphanedWorktrees(
  { store, workFor, projectRoot }: Pick<ExecutionDeps, "store" | "workFor" | "projectRoot">,
  signal: AbortSignal,
): Promise<string[]> {
  const work = workFor(projectRoot);
  const ours = (await work.workTrees.list(signal)).filter(({ path }) => work.workTrees.isPlace(path));
  const warnings: string[] = [];
  for (const { path, branch } of ours) {
    const owner = findCandidateOwner(basename(path));
    if (owner !== undefined) {
      if (!isAlive(owner)) await work.workTrees.discardCandidate(path, signal);
      continue;
    }
    const row = await store.database.read((db) => store.find(db, basename(path)));
    if (row?.status === "running") continue;
    const origin = row ? `execution ${row.id}, which is ${row.status}` : "an unknown execution";
    const name = `${path}${branch === undefined ? "" : ` (branch ${branch})`}`;
    warnings.push(`The work tree ${name} was left behind by ${origin}. ${describeRemoval(path, branch)}`);
  }
  return warnings;
}
