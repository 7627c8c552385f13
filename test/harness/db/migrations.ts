import type { Migration } from "../../../src/platform/db/types.ts";

/** Empty migrations, so that one part's tables can be created alone, at their place in the list. */
export function untilMigration(id: number): Migration[] {
  return Array.from({ length: id - 1 }, (_, index) => ({
    id: index + 1,
    name: `left out ${index + 1}`,
    up: async () => undefined,
  }));
}
