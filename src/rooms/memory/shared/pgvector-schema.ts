import { type Kysely, sql } from "kysely";

/** An arbitrary number that all Forge processes agree on: two that start at once must not both create the tables. */
const setupLock = 0x466f7268;

/** Creates what is missing; returns pgvector's version, or undefined where the server does not have it. */
export async function preparePgvector<Schema>(db: Kysely<Schema>): Promise<string | undefined> {
  const installed = await versionOf(db);
  if (installed !== undefined && (await hasTable(db))) return installed;
  const offered = await sql`select 1 from pg_available_extensions where name = 'vector'`.execute(db);
  if (installed === undefined && offered.rows.length === 0) return undefined;
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(setupLock)})`.execute(tx);
    await sql`create extension if not exists vector`.execute(tx);
    await sql`create schema if not exists forge_memory`.execute(tx);
    await sql`create table if not exists forge_memory.memory (
      project text not null,
      id text not null,
      historic_id text not null,
      type text not null,
      agent text not null,
      text text not null,
      tags text[] not null,
      written_by text not null,
      created_at bigint not null,
      words integer[] not null,
      model text,
      size integer,
      embedding vector,
      primary key (project, id)
    )`.execute(tx);
    await sql`create index if not exists memory_words on forge_memory.memory using gin (words)`.execute(tx);
  });
  return versionOf(db);
}

async function versionOf<Schema>(db: Kysely<Schema>): Promise<string | undefined> {
  const found = await sql<{
    version: string;
  }>`select extversion as version from pg_extension where extname = 'vector'`.execute(db);
  return found.rows[0]?.version;
}

async function hasTable<Schema>(db: Kysely<Schema>): Promise<boolean> {
  const found = await sql<{ name: string | null }>`select to_regclass('forge_memory.memory')::text as name`.execute(db);
  return (found.rows[0]?.name ?? null) !== null;
}
