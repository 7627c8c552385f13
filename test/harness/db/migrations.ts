import type { Migration } from "../../../src/platform/db/types.ts";

/** Steps that do nothing, so that one part's tables can be made alone at the place they have in the whole list. */
export function untilMigration(id: number): Migration[] {
  return Array.from({ length: id - 1 }, (_, index) => ({
    id: index + 1,
    name: `left out ${index + 1}`,
    up: async () => undefined,
  }));
}
