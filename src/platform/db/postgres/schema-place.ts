import { type Kysely, sql, type Transaction } from "kysely";
import { ForgeError } from "../../../kernel/errors.ts";
import { errorCode } from "../../host/error-code.ts";
import type { PostgresAddress } from "./database-url.ts";

/** Forge's own schema: an application's tables in the same database do not matter. */
export const ownSchema = "forge";

const insufficientPrivilege = "42501";

/** Tables of another role could be prepared, with an account in them, and stay that role's. */
const isOwn = sql`pg_has_role(c.relowner, 'usage')`;

/** The tables that versions before 16 made wherever the connection put them, by the step that made them. */
const earlierTables: readonly string[] = [
  "ledger_entry ledger_about",
  "blob blob_damaged",
  "lease lease_waiter",
  "untrusted_reader approval",
  "ticket ticket_event ticket_counter ticket_search",
  "access_user access_identity access_team access_member access_project access_setup access_invitation access_session " +
    "access_device access_grant access_secret access_lockout access_audit access_audit_head",
  "ledger_once",
  "access_reset",
  "ledger_told",
  "",
  "test_run",
  "block task task_dependency task_count task_total blocks_file execution execution_event execution_file",
  "",
  "execution_leftovers",
  "task_search",
];

/**
 * Finds the schema that Forge's tables are in, or are to be made in. Tables of an earlier version are moved to Forge's own
 * schema, all at once; where the right to do so is missing they are used where they are.
 */
export async function findSchema(db: Kysely<unknown>, address: PostgresAddress): Promise<string> {
  if (await hasTable(db, ownSchema, "forge_schema")) return ownSchema;
  const isThere = await exists(db, sql`select 1 from pg_namespace where nspname = ${ownSchema}`);
  if (isThere && (await isUsedByOthers(db))) {
    // Another process may have made it between two of these questions.
    if (await hasTable(db, ownSchema, "forge_schema")) return ownSchema;
    throw foreignSchema(address);
  }
  const earlier = await findEarlierSchema(db);
  if (earlier === undefined) return ownSchema;
  try {
    await db.transaction().execute((tx) => moveTables(tx, earlier));
    return ownSchema;
  } catch (error) {
    // Another process may have moved them meanwhile.
    if (await hasTable(db, ownSchema, "forge_schema")) return ownSchema;
    if (errorCode(error) === insufficientPrivilege) return earlier;
    throw error;
  }
}

/** In the transaction that makes the first tables. */
export async function createOwnSchema(tx: Kysely<unknown>, address: PostgresAddress): Promise<void> {
  if (await exists(tx, sql`select 1 from pg_namespace where nspname = ${ownSchema}`)) return;
  try {
    await sql`create schema ${sql.id(ownSchema)}`.execute(tx);
  } catch (error) {
    if (errorCode(error) === insufficientPrivilege) throw noSchema(address);
    throw error;
  }
}

/** The schema, on the search path of the connection, that has the tables of an earlier version. */
async function findEarlierSchema(db: Kysely<unknown>): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select n.nspname as name from unnest(current_schemas(false)) with ordinality as path (name, place)
    join pg_namespace n on n.nspname = path.name
    join pg_class c on c.relnamespace = n.oid and c.relname = 'forge_schema' and c.relkind = 'r'
      and ${isOwn}
    where n.nspname <> ${ownSchema} order by path.place limit 1`.execute(db);
  return rows[0]?.name;
}

/** Only what the recorded steps made: a table of the same name may be the application's. */
async function moveTables(tx: Transaction<unknown>, from: string): Promise<void> {
  await sql`lock table ${sql.id(from, "forge_schema")} in access exclusive mode`.execute(tx);
  const { rows } = await sql<{ version: number }>`select version from ${sql.id(from, "forge_schema")}`.execute(tx);
  await sql`create schema if not exists ${sql.id(ownSchema)}`.execute(tx);
  const names = earlierTables.slice(0, rows[0]?.version ?? 0).flatMap((made) => made.split(" ").filter(Boolean));
  for (const name of ["forge_schema", ...names])
    await sql`alter table if exists ${sql.id(from, name)} set schema ${sql.id(ownSchema)}`.execute(tx);
}

function hasTable(db: Kysely<unknown>, schema: string, name: string): Promise<boolean> {
  return exists(
    db,
    sql`select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${schema} and c.relname = ${name} and ${isOwn}`,
  );
}

/** Anything in it that is not ours: it has no `forge_schema`. */
function isUsedByOthers(db: Kysely<unknown>): Promise<boolean> {
  return exists(
    db,
    sql`select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = ${ownSchema} limit 1`,
  );
}

async function exists(db: Kysely<unknown>, query: ReturnType<typeof sql>): Promise<boolean> {
  return (await query.execute(db)).rows.length > 0;
}

function foreignSchema({ shown, user, host, database }: PostgresAddress): ForgeError {
  return new ForgeError(
    "STORE_ERROR",
    `PostgreSQL at ${shown} has a schema "${ownSchema}" that was not made by Forge, or not by the user ${user}. Nothing was changed.`,
    {
      details: { host, database, schema: ownSchema },
      next: [
        `Use another database in FORGE_DATABASE_URL, or rename that schema. If Forge's tables in it are yours, make ${user} their owner.`,
      ],
    },
  );
}

function noSchema({ shown, user, host, database }: PostgresAddress): ForgeError {
  return new ForgeError(
    "STORE_ERROR",
    `The user ${user} may not create the schema "${ownSchema}" in PostgreSQL at ${shown}. Nothing was changed.`,
    {
      details: { host, database, schema: ownSchema },
      next: [
        `As an administrator of that server, run: create schema ${ownSchema} authorization "${user.replaceAll('"', '""')}"`,
      ],
    },
  );
}
