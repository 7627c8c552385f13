import { guardMigrations } from "./commons/guard/schema.ts";
import { leaseMigrations } from "./commons/leases/schema.ts";
import { ledgerMigrations, onceMigrations } from "./commons/ledger/schema.ts";
import { blobMigrations } from "./platform/blobs/blob-tables.ts";
import { accessMigrations } from "./rooms/access/schema.ts";
import { ticketMigrations } from "./rooms/tickets/schema.ts";

/** The schema's steps, each in its place for ever. */
export const migrations = [
  ...ledgerMigrations,
  ...blobMigrations,
  ...leaseMigrations,
  ...guardMigrations,
  ...ticketMigrations,
  ...accessMigrations,
  ...onceMigrations,
];
