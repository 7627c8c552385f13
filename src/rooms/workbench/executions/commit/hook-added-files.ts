import type { Execution } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../deps.ts";

const maxCommits = 10_000;

/**
 * Files that hooks took into an execution's commits although they were to stay out of them, and that no later commit was asked
 * to take. They are in its timeline, so that whoever completes the task later knows of them too.
 */
export async function findHookAddedFiles(
  { store }: Pick<ExecutionDeps, "store">,
  { id }: Execution,
): Promise<string[]> {
  const events = await store.database.read(async (db) => {
    const row = await store.find(db, id);
    return row ? store.listEventsOfKinds(db, row.seq, ["commit"], maxCommits) : [];
  });
  const strays = new Set<string>();
  for (const { details } of events) {
    for (const path of toNames(details["files"])) strays.delete(path);
    for (const path of toNames(details["strays"])) strays.add(path);
  }
  return [...strays];
}

function toNames(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}
