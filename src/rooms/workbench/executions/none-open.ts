import type { ForgeError } from "../../../kernel/errors.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { claimKey, type ExecutionDeps } from "./deps.ts";
import { noOpenExecution } from "./errors.ts";
import { toExecution } from "./rows.ts";

/** Said to whoever has none: with those that the same assistant has open on another connection, and until when at the latest. */
export async function noneOpenFor(
  { store, claims }: Pick<ExecutionDeps, "store" | "claims">,
  { id, agent }: Principal,
): Promise<ForgeError> {
  const held = await store.database.read(async (db) => {
    const open = (await store.listOpen(db)).filter((row) => row.started_by === id && row.agent === (agent ?? null));
    const executions = open.map(toExecution);
    const claimed = await claims.on(db, executions.map(claimKey));
    return executions.flatMap((execution) => {
      const claim = claimed.get(claimKey(execution));
      return claim ? [{ execution, ...claim }] : [];
    });
  });
  return noOpenExecution(held);
}
