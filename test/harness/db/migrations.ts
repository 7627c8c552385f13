import { ledgerMigrations } from "../../../src/commons/ledger/schema.ts";
import type { Migration } from "../../../src/platform/db/types.ts";

/** Empty migrations, so that one part's tables can be created alone, at their place in the list. */
export function untilMigration(id: number): Migration[] {
  return Array.from({ length: id - 1 }, (_, index) => ({
    id: index + 1,
    name: `left out ${index + 1}`,
    up: async () => undefined,
  }));
}

/** Some parts' migrations at their places in the list, with empty ones between them. */
export function alone(...parts: Migration[][]): Migration[] {
  const given = parts.flat();
  const last = Math.max(...given.map(({ id }) => id));
  return untilMigration(last + 1).map((empty) => given.find(({ id }) => id === empty.id) ?? empty);
}

/** The ledger's tables, and nothing else. */
export const ledgerAlone = alone(ledgerMigrations);
