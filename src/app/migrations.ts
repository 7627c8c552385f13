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
  return [
    ...ledgerMigrations,
    ...blobMigrations,
    ...leaseMigrations,
    ...guardMigrations,
    ...markMigrations,
    ...onceMigrations,
    ...relayMigrations,
    ...testRunMigrations,
    ...ofRooms.flat(),
  ].sort((a, b) => a.id - b.id);
}
