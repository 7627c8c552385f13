import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { migrations } from "../harness/db/all-migrations.ts";

/** A store opens only where its schema is this text, so a change of it would lock users out of what they have. */
test("each table and index is what earlier releases made", async () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-schema-"));
  const database = openDatabase<unknown>({ file: join(folder, ".forge", "forge.db") }, migrations);
  try {
    const rows = await database.read(
      async (db) =>
        (await sql<{ name: string; sql: string | null }>`select name, sql from sqlite_master order by name`.execute(db))
          .rows,
    );
    const text = rows.map(({ name, sql }) => `${name}\n  ${sql ?? "(made by SQLite)"}`).join("\n");
    await expect(`schema ${migrations.length}\n${text}\n`).toMatchFileSnapshot("schema.txt");
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
