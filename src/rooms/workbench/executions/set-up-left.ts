import type { Execution } from "../execution-model.ts";
import { listed } from "./errors.ts";
import type { Parts } from "./parts.ts";

const mostNamed = 20;

/** Git cannot tell what the set-up command made from what the task makes, so whoever begins the task is told of it. */
export async function leftBySetUp(
  { workFor }: Pick<Parts, "workFor">,
  { root, baseCommit }: Execution,
  signal: AbortSignal,
): Promise<string[]> {
  const { changes, total } = await workFor(root).changes(baseCommit, mostNamed, signal);
  if (total === 0) return [];
  const names = listed(changes.map(({ path }) => path));
  const more = total > changes.length ? ` and ${total - changes.length} more` : "";
  return [
    `The set-up command left ${names}${more}, which git does not ignore: it would be committed with the task. Undo it, or add it to .gitignore.`,
  ];
}
