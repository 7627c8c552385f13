import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import type { Engine, Place } from "../../../src/platform/db/types.ts";
import { describeWith } from "../faults/faults.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

const { FORGE_TEST_POSTGRES_URL: givenUrl } = process.env;

export type TestEngine = {
  name: Engine;
  /** A new, empty database; removed after the group of tests. */
  fresh(): Promise<Place>;
};

/** Runs the same tests on both engines. Without PostgreSQL its half is skipped by name, or fails if skips are forbidden. */
export function describeOnEngines(name: string, tests: (engine: TestEngine) => void): void {
  describe(`${name} (SQLite)`, () => tests(sqliteEngine()));
  describeWithPostgres(name, (engine) => tests(engine));
}

/** A group of tests that needs PostgreSQL. */
export function describeWithPostgres(name: string, tests: (engine: TestEngine) => void): void {
  describeWith(["postgres"], `${name} (PostgreSQL)`, () => tests(postgresEngine()));
}

/** A temporary folder; removed after the group of tests. */
export function temporaryFolder(): () => string {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "forge-test-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

/** For tests in places where files are not opened otherwise. */
export const makeFolder = (path: string) => void mkdirSync(path);
export const putFile = (path: string, text: string) => writeFileSync(path, text);
export const removeFile = (path: string) => rmSync(path);
export const exists = (path: string) => existsSync(path);

function sqliteEngine(): TestEngine {
  const folder = temporaryFolder();
  return {
    name: "sqlite",
    fresh: async () => ({ file: join(mkdtempSync(join(folder(), "project-")), ".forge", "forge.db") }),
  };
}

function postgresEngine(): TestEngine {
  let server: PostgresServer | undefined;
  let adminUrl = givenUrl ?? "";
  const made: string[] = [];
  beforeAll(async () => {
    if (adminUrl !== "") return;
    server = await startPostgres();
    adminUrl = server.url;
  });
  afterAll(async () => {
    for (const database of made) await administer(adminUrl, `drop database "${database}" with (force)`);
    await server?.stop();
  });
  return {
    name: "postgres",
    fresh: async () => {
      const database = `forge_test_${randomBytes(8).toString("hex")}`;
      await administer(adminUrl, `create database "${database}"`);
      made.push(database);
      const url = new URL(adminUrl);
      url.pathname = `/${database}`;
      return { url: url.href };
    },
  };
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
