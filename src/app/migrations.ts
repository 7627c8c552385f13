import { guardMigrations, markMigrations } from "../commons/guard/schema.ts";
import { leaseMigrations } from "../commons/leases/schema.ts";
import { ledgerMigrations, onceMigrations, relayMigrations } from "../commons/ledger/schema.ts";
import { testRunMigrations } from "../commons/test-runs/schema.ts";
import { blobMigrations } from "../platform/blobs/blob-tables.ts";
import type { Migration } from "../platform/db/types.ts";
import { rooms as allRooms } from "../rooms.ts";

/** The steps of the schema: those of what rooms share and those of every room, in their order. */
export async function loadMigrations(rooms = allRooms): Promise<Migration[]> {
  const ofRooms = await Promise.all(rooms.map((room) => room.migrations?.() ?? []));
  return fillGaps([
    ...ledgerMigrations,
    ...blobMigrations,
    ...leaseMigrations,
    ...guardMigrations,
    ...markMigrations,
    ...onceMigrations,
    ...relayMigrations,
    ...testRunMigrations,
    ...ofRooms.flat(),
  ]);
}

/** In their order. An id that no part has is an empty step, so that parts with reserved ids can be added in any order. */
function fillGaps(migrations: readonly Migration[]): Migration[] {
  const ids = new Set(migrations.map(({ id }) => id));
  const missing = Array.from({ length: Math.max(...ids) }, (_, index) => index + 1).filter((id) => !ids.has(id));
  const empty = missing.map((id) => ({ id, name: `reserved ${id}`, up: async () => undefined }));
  return [...migrations, ...empty].sort((a, b) => a.id - b.id);
}
