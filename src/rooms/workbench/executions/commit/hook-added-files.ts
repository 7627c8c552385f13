import type { Execution } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../execution-deps.ts";

const maxCommits = 10_000;

/**
 * Files that hooks added to an execution's commits although they were meant to stay out, and that no later commit named. The
 * timeline records them, so that they are known when the task is completed later.
 */
export async function findHookAddedFiles(
  { store }: Pick<ExecutionDeps, "store">,
  { id }: Execution,
): Promise<string[]> {
  const events = await store.database.read(async (db) => {
    const row = await store.find(db, id);
    return row ? store.listEventsOfKinds(db, row.seq, ["commit"], maxCommits) : [];
  });
  const added = new Set<string>();
  for (const { details } of events) {
    for (const path of toNames(details["files"])) added.delete(path);
    for (const path of toNames(details["strays"])) added.add(path);
  }
  return [...added];
}

function toNames(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}
