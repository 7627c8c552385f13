import { mkdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Place } from "../../src/platform/db/types.ts";
import { findPostgres, howToGetPostgres, startPostgres } from "../../test/harness/db/postgres.ts";

export type EngineName = "SQLite" | "PostgreSQL";

/** Where a server's data is: how it is opened here, and how the server is told of it. */
export type ServerPlace = { place: Place; args: string[] };

/** Runs the work with each engine there is; `make` gives it empty databases by name. */
export async function onEngines(
  folder: string,
  work: (engine: EngineName, make: (name: string) => Promise<ServerPlace>) => Promise<void>,
): Promise<void> {
  await work("SQLite", async (name) => {
    const data = join(folder, `${name}-data`);
    mkdirSync(data);
    return { place: { file: join(data, "forge.db") }, args: [data] };
  });
  if (findPostgres() === undefined) {
    process.stderr.write(`Without PostgreSQL, its figures are left out: ${howToGetPostgres}.\n`);
    return;
  }
  const postgres = await startPostgres({ durable: true });
  try {
    await work("PostgreSQL", async (name) => {
      const database = `bench_${name.replaceAll("-", "_")}`;
      await administer(postgres.url, `create database ${database}`);
      const url = new URL(postgres.url);
      url.pathname = `/${database}`;
      return { place: { url: url.href }, args: [folder, url.href] };
    });
  } finally {
    await postgres.stop();
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
