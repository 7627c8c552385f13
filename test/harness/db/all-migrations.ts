import { loadMigrations } from "../../../src/app/migrations.ts";

/** The program's complete schema. */
export const migrations = await loadMigrations();
