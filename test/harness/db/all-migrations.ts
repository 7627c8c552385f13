import { loadMigrations } from "../../../src/app/migrations.ts";

/** The whole schema, as the program has it. */
export const migrations = await loadMigrations();
