import type { Execution } from "../../model/execution-model.ts";
import type { Parts } from "../deps.ts";

const mostCommits = 10_000;

/**
 * Files that hooks took into an execution's commits although they were to stay out of them, and that no later commit was asked
 * to take. They are in its timeline, so that whoever completes the task later knows of them too.
 */
export async function straysOf({ store }: Pick<Parts, "store">, { id }: Execution): Promise<string[]> {
  const events = await store.database.read(async (db) => {
    const row = await store.find(db, id);
    return row ? store.eventsOf(db, row.seq, ["commit"], mostCommits) : [];
  });
  const strays = new Set<string>();
  for (const { details } of events) {
    for (const path of namesIn(details["files"])) strays.delete(path);
    for (const path of namesIn(details["strays"])) strays.add(path);
  }
  return [...strays];
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}
