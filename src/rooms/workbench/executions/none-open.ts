import type { ForgeError } from "../../../kernel/errors.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { claimOf, type Parts } from "./deps.ts";
import { noneOpen } from "./errors.ts";
import { executionFrom } from "./rows.ts";

/** Said to whoever has none: with those that the same assistant has open on another connection, and until when at the latest. */
export async function noneOpenFor(
  { store, claims }: Pick<Parts, "store" | "claims">,
  { id, agent }: Principal,
): Promise<ForgeError> {
  const held = await store.database.read(async (db) => {
    const open = (await store.open(db)).filter((row) => row.started_by === id && row.agent === (agent ?? null));
    const executions = open.map(executionFrom);
    const claimed = await claims.on(db, executions.map(claimOf));
    return executions.flatMap((execution) => {
      const claim = claimed.get(claimOf(execution));
      return claim ? [{ execution, ...claim }] : [];
    });
  });
  return noneOpen(held);
}
