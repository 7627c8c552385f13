import { guardMigrations } from "../commons/guard/schema.ts";
import { leaseMigrations } from "../commons/leases/schema.ts";
import { ledgerMigrations, onceMigrations, relayMigrations } from "../commons/ledger/schema.ts";
import { testingMigrations } from "../commons/test-runs/schema.ts";
import { blobMigrations } from "../platform/blobs/blob-tables.ts";
import { accessMigrations, recoveryMigrations } from "../rooms/access/store/schema.ts";
import { authorshipMigrations, ticketMigrations } from "../rooms/tickets/store/schema.ts";
import {
  readinessMigrations,
  taskSearchMigrations,
  whoseMigrations,
  workbenchMigrations,
} from "../rooms/workbench/store/schema.ts";

/** The schema's steps, each in its place for ever. */
export const migrations = [
  ...ledgerMigrations,
  ...blobMigrations,
  ...leaseMigrations,
  ...guardMigrations,
  ...ticketMigrations,
  ...accessMigrations,
  ...onceMigrations,
  ...recoveryMigrations,
  ...relayMigrations,
  ...authorshipMigrations,
  ...testingMigrations,
  ...workbenchMigrations,
  ...readinessMigrations,
  ...whoseMigrations,
  ...taskSearchMigrations,
];
