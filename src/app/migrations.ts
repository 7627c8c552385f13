import { guardMigrations } from "../commons/guard/schema.ts";
import { leaseMigrations } from "../commons/leases/schema.ts";
import { ledgerMigrations, onceMigrations, relayMigrations } from "../commons/ledger/schema.ts";
import { testRunMigrations } from "../commons/test-runs/schema.ts";
import { blobMigrations } from "../platform/blobs/blob-tables.ts";
import type { Migration } from "../platform/db/types.ts";
import { rooms } from "../rooms.ts";

/** The schema's steps: what rooms share, and every room's own, each in its place. */
export async function loadMigrations(): Promise<Migration[]> {
  const ofRooms = await Promise.all(rooms.map((room) => room.migrations?.() ?? []));
  return [
    ...ledgerMigrations,
    ...blobMigrations,
    ...leaseMigrations,
    ...guardMigrations,
    ...onceMigrations,
    ...relayMigrations,
    ...testRunMigrations,
    ...ofRooms.flat(),
  ].sort((a, b) => a.id - b.id);
}
