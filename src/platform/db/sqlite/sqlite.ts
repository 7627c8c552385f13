import { latestVersion, pendingMigrations, refuseNewer } from "../migration-list.ts";
import { retryWithin, writeBudgetMs } from "../retry-within.ts";
import type { Admission, Migration, OpenEngine, Settlement, UnopenedStore } from "../types.ts";
import { SqliteConnection } from "./connection.ts";
import { openKysely } from "./dialect.ts";
import { explainSqlite, isBusy } from "./errors.ts";
import { hasContent, openForInspection, prepareFile } from "./file.ts";
import { assertSafeVersion, loadSqlite, type SqliteHandle, type SqliteLibrary } from "./library.ts";
import { applicationId, readSchema, refuseAltered, schemaOf, single } from "./schema.ts";

/**
 * Waiting for another process's lock blocks this one, so a writer waits only briefly inside SQLite and then lets other work
 * go on before it tries again. Readers of a WAL file wait only for rare, short moments.
 */
const lockWaitMs = { writer: 20, reader: 5_000, looker: 5_000 };

/** What a thousand tickets take; taken page by page as they are read. SQLite's own two megabytes made most reads go to the file. */
const cacheKilobytes = 16_384;

const untilFree = { budgetMs: writeBudgetMs, retryable: isBusy };

export async function openSqlite<Schema>(
  file: string,
  migrations: readonly Migration[],
  admission?: Admission,
): Promise<OpenEngine<Schema>> {
  const handles: SqliteHandle[] = [];
  const close = async () => {
    for (const handle of handles.splice(0).reverse()) handle.close();
  };
  try {
    for (const log of [`${file}-wal`, `${file}-journal`])
      if (admission && hasContent(log)) await admission.requireOwnLog(log);
    const library = await loadSqlite();
    prepareFile(library, file);
    const open = (role: "writer" | "reader") => {
      const handle = connect(library, file, role);
      handles.push(handle);
      return handle;
    };
    const judge = async (handle: SqliteHandle) =>
      refuseAltered({ library, file, migrations }, await retryWithin(untilFree, () => readSchema(handle, file)));
    const hasLog = hasContent(`${file}-wal`);
    if (hasLog) await lookFirst(library, file, judge);
    const writer = await retryWithin(untilFree, () => open("writer"));
    if (!hasLog) await judge(writer);
    const writes = openKysely<Schema>(new SqliteConnection(writer));
    // It reads the file, which another process may be creating right now.
    const settle = await retryWithin(untilFree, () => admission?.admit(viewOf(writer, file)));
    await migrate(writer, file, migrations, settle);
    const reader = await retryWithin(untilFree, () => open("reader"));
    const reads = openKysely<Schema>(new SqliteConnection(reader));
    return {
      reads,
      transaction: (work) => writes.transaction().execute(work),
      async close() {
        foldIn(writer);
        await close();
      },
    };
  } catch (error) {
    const explained = await explainSqlite(error, file, { inUse: false });
    await close();
    throw explained;
  }
}

/** What an admission may look at. */
function viewOf(handle: SqliteHandle, file: string): UnopenedStore {
  const rows = (sql: string) => handle.prepare(sql).all() as Record<string, unknown>[];
  const tables = () =>
    rows("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'").map(({ name }) =>
      String(name),
    );
  return {
    file,
    get isEmpty() {
      return !tables().some((name) => rows(`select 1 from "${name.replaceAll('"', '""')}" limit 1`).length > 0);
    },
    hasTable: (name) => tables().includes(name),
    rows,
  };
}

/** Where there is a log, even closing a connection that wrote nothing changes the file; so it is judged by one that cannot. */
async function lookFirst(library: SqliteLibrary, file: string, judge: (handle: SqliteHandle) => Promise<void>) {
  const looker = await retryWithin(untilFree, () => connect(library, file, "looker"));
  try {
    await judge(looker);
  } finally {
    looker.close();
  }
}

/** The words of each full-text index, as a table of this connection alone: a search first looks how many it would go through. */
function listTerms(handle: SqliteHandle): void {
  const indexes = handle
    .prepare("select name from sqlite_master where sql like 'create virtual table % using fts5(%'")
    .all() as { name: string }[];
  for (const { name } of indexes)
    handle.exec(`create virtual table temp."${name}_terms" using fts5vocab('main', '${name}', 'row')`);
}

function connect(library: SqliteLibrary, file: string, role: keyof typeof lockWaitMs): SqliteHandle {
  const handle = role === "looker" ? openForInspection(library, file) : new library.DatabaseSync(file);
  try {
    handle.exec(`pragma busy_timeout = ${lockWaitMs[role]}`);
    // The file may come with a cloned repository: its schema must not be able to run functions or damage the file.
    handle.exec("pragma trusted_schema = off");
    handle.enableDefensive?.(true);
    handle.exec(`pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -${cacheKilobytes}`);
    if (role === "reader") {
      listTerms(handle);
      handle.exec("pragma query_only = on");
    }
    if (role === "writer") assertSafeVersion(String(single(handle, "select sqlite_version()")));
    return handle;
  } catch (error) {
    handle.close();
    throw error;
  }
}

/**
 * Brings the log's content into the file, as SQLite does when the last connection closes: one driver keeps its connection
 * half open until its statements are collected. Where others are busy with the log it stays, which is as safe.
 */
function foldIn(writer: SqliteHandle): void {
  try {
    writer.exec("pragma wal_checkpoint(truncate)");
  } catch {
    // The log is read at the next start.
  }
}

/**
 * Only a new or older file is written to, or one that is admitted for the first time. All steps and the admission are one
 * transaction: another process never meets a store that is half made or not yet sealed.
 */
async function migrate(
  writer: SqliteHandle,
  file: string,
  migrations: readonly Migration[],
  settle: Settlement | undefined,
): Promise<void> {
  const current = await retryWithin(untilFree, () => schemaOf(writer, file));
  refuseNewer(current, migrations, file);
  if ((await retryWithin(untilFree, () => single(writer, "pragma journal_mode"))) !== "wal") {
    await retryWithin(untilFree, () => writer.exec("pragma journal_mode = wal"));
  }
  if (current === latestVersion(migrations) && !settle) return;
  const db = openKysely<unknown>(new SqliteConnection(writer));
  await db.transaction().execute(async (tx) => {
    // Another process may have done some while this one waited for the lock.
    const now = schemaOf(writer, file);
    refuseNewer(now, migrations, file);
    for (const migration of pendingMigrations(now, migrations)) {
      await migration.up(tx, "sqlite");
      writer.exec(`pragma application_id = ${applicationId}; pragma user_version = ${migration.id}`);
    }
    await settle?.(tx);
  });
}
