import { join } from "node:path";
import pg from "pg";
import { loadSqlite } from "../../src/platform/db/sqlite/library.ts";

/** Documents by id, one statement per request. */
export type BareStore = {
  find(id: string): Promise<string | undefined>;
  /** In a transaction, as durable as Forge's. */
  rename(id: string, title: string): Promise<string | undefined>;
  fill(documents: ReadonlyMap<string, string>): Promise<void>;
  close(): Promise<void>;
};

const table = "create table if not exists bare (id text primary key, title text not null, document text not null)";

export function bareStore(folder: string, databaseUrl: string | undefined): Promise<BareStore> {
  return databaseUrl === undefined ? onSqlite(join(folder, "bare.db")) : onPostgres(databaseUrl);
}

async function onSqlite(file: string): Promise<BareStore> {
  const { DatabaseSync } = await loadSqlite();
  const handle = new DatabaseSync(file);
  handle.exec("pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000");
  handle.exec(table);
  const found = handle.prepare("select document from bare where id = ?");
  const renamed = handle.prepare("update bare set title = ? where id = ? returning document");
  const added = handle.prepare("insert into bare values (?, '', ?)");
  const transaction = <T>(work: () => T): T => {
    handle.exec("begin immediate");
    const made = work();
    handle.exec("commit");
    return made;
  };
  return {
    find: async (id) => documentIn(found.all(id)),
    rename: async (id, title) => transaction(() => documentIn(renamed.all(title, id))),
    fill: async (documents) => transaction(() => documents.forEach((document, id) => void added.run(id, document))),
    close: async () => handle.close(),
  };
}

async function onPostgres(databaseUrl: string): Promise<BareStore> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  await pool.query(table);
  return {
    async find(id) {
      return documentIn((await pool.query("select document from bare where id = $1", [id])).rows);
    },
    async rename(id, title) {
      const client = await pool.connect();
      try {
        await client.query("begin");
        const { rows } = await client.query("update bare set title = $1 where id = $2 returning document", [title, id]);
        await client.query("commit");
        return documentIn(rows);
      } finally {
        client.release();
      }
    },
    async fill(documents) {
      for (const [id, document] of documents) await pool.query("insert into bare values ($1, '', $2)", [id, document]);
    },
    close: () => pool.end(),
  };
}

function documentIn([row]: unknown[]): string | undefined {
  return (row as { document: string } | undefined)?.document;
}
