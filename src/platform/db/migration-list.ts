import { ForgeError } from "../../kernel/errors.ts";
import type { Migration } from "./types.ts";

/** The list is put together from several rooms: a gap or a duplicate would lead to different databases. */
export function assertContiguous(migrations: readonly Migration[]): void {
  for (const [index, migration] of migrations.entries()) {
    if (migration.id !== index + 1) {
      throw new Error(
        `Migration "${migration.name}" has id ${migration.id} but is number ${index + 1} in the list: ids count from 1 without gaps.`,
      );
    }
  }
}

export function latestVersion(migrations: readonly Migration[]): number {
  return migrations.length;
}

export function pendingMigrations(current: number, migrations: readonly Migration[]): readonly Migration[] {
  return migrations.slice(current);
}

export function refuseNewer(current: number, migrations: readonly Migration[], place: string): void {
  const known = latestVersion(migrations);
  if (current <= known) return;
  throw new ForgeError(
    "STORE_ERROR",
    `The database was written by a newer version of Forge (schema ${current}; this version knows ${known}). It was not changed: ${place}`,
    {
      details: { place, schema: current, known },
      next: ["Update Forge. In a clone: git pull && npm ci && npm run build."],
    },
  );
}
