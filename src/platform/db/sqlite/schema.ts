import { createHash } from "node:crypto";
import { ForgeError } from "../../../kernel/errors.ts";
import { visible } from "../../../kernel/text/visible.ts";
import { refuseNewer } from "../migration-list.ts";
import type { Migration } from "../types.ts";
import { SqliteConnection } from "./connection.ts";
import { Damage } from "./damage.ts";
import { openKysely } from "./dialect.ts";
import { knownSchemas } from "./known-schemas.ts";
import type { SqliteHandle, SqliteLibrary } from "./library.ts";

/** "FRGE", in the file's header: tells Forge's databases from other programs'. */
export const applicationId = 0x46524745;

const maxShownName = 100;

/** What a schema consists of; equal ones have equal definitions, in whatever order. */
type Part = { title: string; definition: string };

/** Throws where the file is another program's. */
export function schemaOf(handle: SqliteHandle, file: string): number {
  const tables = Number(single(handle, "select count(*) from sqlite_master"));
  if (tables > 0 && single(handle, "pragma application_id") !== applicationId) throw foreignDatabase(file);
  const version = Number(single(handle, "pragma user_version"));
  if (version < 0) throw alteredSchema(`a schema numbered ${version}`);
  return version;
}

/** The file's version and its parts as of one moment: another process may be bringing it up to date. */
export function readSchema(handle: SqliteHandle, file: string): { version: number; parts: Part[] } {
  handle.exec("begin");
  try {
    return { version: schemaOf(handle, file), parts: partsOf(handle) };
  } finally {
    endQuietly(handle);
  }
}

/** After some errors SQLite has ended the transaction by itself; the error to tell is that one. */
function endQuietly(handle: SqliteHandle): void {
  try {
    handle.exec("rollback");
  } catch {
    // Nothing was written, so nothing is lost.
  }
}

/**
 * A file can come with a cloned repository: a trigger in it would undo what Forge writes, a view answer for a table. So every
 * part of its schema, to the letter, is one that the program's own steps make. What is named like SQLite's own is no
 * exception: a crafted file may give such a name to anything.
 */
export async function refuseAltered(
  { library, file, migrations }: { library: SqliteLibrary; file: string; migrations: readonly Migration[] },
  { version, parts }: { version: number; parts: readonly Part[] },
): Promise<void> {
  refuseNewer(version, migrations, file);
  if (knownSchemas.includes(hashOf(parts))) return;
  const expected = await partsMadeBy(library, migrations.slice(0, version));
  const stranger = parts.find(({ definition }) => !expected.some((part) => part.definition === definition));
  if (stranger) throw alteredSchema(`a ${stranger.title}`);
  const missing = expected.find(({ definition }) => !parts.some((part) => part.definition === definition));
  if (missing) throw alteredSchema(`no ${missing.title}`);
}

/** Identifies the schema that these steps make. */
export async function hashSchema(library: SqliteLibrary, migrations: readonly Migration[]): Promise<string> {
  return hashOf(await partsMadeBy(library, migrations));
}

function hashOf(parts: readonly Part[]): string {
  const definitions = parts.map(({ definition }) => definition).sort();
  return createHash("sha256").update(JSON.stringify(definitions)).digest("hex");
}

async function partsMadeBy(library: SqliteLibrary, migrations: readonly Migration[]): Promise<Part[]> {
  if (migrations.length === 0) return [];
  const handle = new library.DatabaseSync(":memory:");
  try {
    const db = openKysely<unknown>(new SqliteConnection(handle));
    for (const migration of migrations) await migration.up(db, "sqlite");
    return partsOf(handle);
  } finally {
    handle.close();
  }
}

function partsOf(handle: SqliteHandle): Part[] {
  return handle.prepare("select type, name, tbl_name, sql from sqlite_master order by rowid").all().map(partOf);
}

function partOf(row: unknown): Part {
  const values = row === null || typeof row !== "object" ? [] : Object.values(row);
  return {
    title: `${values[0]} named ${String(values[1]).slice(0, maxShownName)}`,
    definition: JSON.stringify(values),
  };
}

export function single(handle: SqliteHandle, sql: string): unknown {
  const row = handle.prepare(sql).all()[0];
  return row === null || typeof row !== "object" ? undefined : Object.values(row)[0];
}

function foreignDatabase(file: string): ForgeError {
  return new ForgeError("STORE_ERROR", `This SQLite database belongs to another program. It was not changed: ${file}`, {
    details: { file },
    next: ["Rename the file. Forge then creates its own."],
  });
}

function alteredSchema(what: string): Damage {
  return new Damage(`its schema differs from what Forge creates: it has ${visible(what)}`, [
    "If the file came with the repository, do not use it.",
  ]);
}
