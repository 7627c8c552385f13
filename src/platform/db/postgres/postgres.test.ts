import { createServer } from "node:net";
import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { describeWithPostgres } from "../../../../test/harness/db/store.ts";
import { addCounter, countOf, demoMigrations, openDemo } from "../../../../test/harness/db/store-demo.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { parseDatabaseUrl } from "./database-url.ts";
import { openPool } from "./pool.ts";

const secret = "s3cret-p4ssword";

async function failure(url: string): Promise<ForgeError> {
  const db = openDemo({ url });
  const error = await countOf(db, "c").catch((thrown: unknown) => thrown);
  await db.close();
  if (!(error instanceof ForgeError)) throw new Error(`expected a ForgeError, got ${error}`);
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(secret);
  return error;
}

/** A port that was free a moment ago. */
function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

describe("DATABASE_URL", () => {
  test("what is shown of an address has no password", () => {
    const url = `postgres://ann:${secret}@db.example.org:6543/forge?password=${secret}&sslmode=require`;
    expect(parseDatabaseUrl(url)).toMatchObject({ shown: "db.example.org:6543, database forge", user: "ann" });
    expect(parseDatabaseUrl("postgresql://localhost/x")).toMatchObject({ shown: "localhost:5432, database x" });
    expect(parseDatabaseUrl("postgres:///x?host=/var/run/postgresql")).toMatchObject({
      shown: "/var/run/postgresql, database x",
    });
  });

  test.each([
    ["no URL", secret],
    ["another protocol", `mysql://ann:${secret}@localhost/x`],
    ["a slash in the password", `postgres://ann:12/${secret}@localhost/x`],
    ["a hash in the password", `postgres://ann:12#${secret}@localhost/x`],
    ["a question mark in the password", `postgres://ann:12?${secret}@localhost/x`],
    ["a letter for a port", `postgres://ann:${secret}@localhost:port/x`],
    ["a half escape", `postgres://ann:%E0%A4%A-${secret}@localhost/x`],
  ])("%s is refused without being repeated", async (_, url) => {
    expect(await failure(url)).toMatchObject({ code: "CONFIG_ERROR", message: /DATABASE_URL cannot be used/ });
  });

  test("a server that is not there is named", async () => {
    const port = await closedPort();
    expect(await failure(`postgres://ann:${secret}@127.0.0.1:${port}/forge`)).toMatchObject({
      code: "STORE_ERROR",
      message: `PostgreSQL at 127.0.0.1:${port}, database forge cannot be reached.`,
    });
    expect(await failure(`postgres://ann:${secret}@no-such-host.invalid/forge`)).toMatchObject({
      code: "STORE_ERROR",
      message: /no-such-host.invalid:5432.*cannot be reached/,
    });
  });

  test("something else that listens there is no PostgreSQL, and not waited for without end", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        resolve(typeof address === "object" && address ? address.port : 0);
      });
    });
    expect(await failure(`postgres://ann:${secret}@127.0.0.1:${port}/forge`)).toMatchObject({ code: "STORE_ERROR" });
    server.close();
  });
});

describeWithPostgres("database server", (engine) => {
  async function freshUrl(): Promise<URL> {
    const place = await engine.fresh();
    if (!("url" in place)) throw new Error("expected an address");
    return new URL(place.url);
  }

  test("a wrong password is refused without being repeated", async () => {
    const url = await freshUrl();
    url.password = secret;
    expect(await failure(url.href)).toMatchObject({ code: "STORE_ERROR", message: /did not let the user forge in/ });
  });

  test("a server without encryption is told apart from one that is not there", async () => {
    const url = await freshUrl();
    url.search = "sslmode=require";
    expect(await failure(url.href)).toMatchObject({ code: "STORE_ERROR", message: /No encrypted connection/ });
  });

  test("a database that does not exist is named", async () => {
    const url = await freshUrl();
    url.pathname = "/no_such_database";
    expect(await failure(url.href)).toMatchObject({ code: "STORE_ERROR", message: /no database no_such_database/ });
  });

  test("a database of a newer Forge is refused and left as it is", async () => {
    const url = (await freshUrl()).href;
    const newer = openDemo({ url });
    await addCounter(newer, "c");
    const older = openDemo({ url }, demoMigrations.slice(0, 1));
    await expect(countOf(older, "c")).rejects.toMatchObject({
      code: "STORE_ERROR",
      message: /newer Forge \(schema 2; this program knows 1\)/,
    });
    await older.close();
    expect(await countOf(newer, "c")).toBe(0);
    await newer.close();
  });

  test("a connection lost in the middle of a transaction undoes it and is replaced", async () => {
    const db = openDemo({ url: (await freshUrl()).href });
    await addCounter(db, "kept");
    const { sql } = await import("kysely");
    const cut = db.transaction(async (tx) => {
      await tx.insertInto("counter").values({ id: "lost", count: 1 }).execute();
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await db.read((reads) => sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(reads));
      await tx.insertInto("counter").values({ id: "too late", count: 1 }).execute();
    });
    await expect(cut).rejects.toMatchObject({ code: "STORE_ERROR", message: /cannot be reached/ });
    expect(await countOf(db, "lost")).toBeUndefined();
    await addCounter(db, "after");
    expect(await countOf(db, "after")).toBe(0);
    await db.close();
  });

  test("text with NUL is the caller's mistake, and the connection stays sound", async () => {
    const db = openDemo({ url: (await freshUrl()).href });
    await expect(addCounter(db, "a\0b")).rejects.toThrow();
    await addCounter(db, "fine");
    expect(await countOf(db, "fine")).toBe(0);
    await db.close();
  });

  test("a query that took too long ends in the server too", async () => {
    const url = (await freshUrl()).href;
    const pool = await openPool(url, "public", { queryMs: 200 });
    const looker = await openPool(url);
    const [client, other] = [await pool.connect(), await looker.connect()];
    await expect(client.query("select pg_sleep(60)", [])).rejects.toThrow();
    const running =
      "select pid from pg_stat_activity where state = 'active' and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()";
    const count = async () => (await other.query(running, [])).rows.length;
    await vi.waitFor(async () => expect(await count()).toBe(0), { timeout: 10_000, interval: 50 });
    client.release();
    other.release();
    await Promise.all([pool.end(), looker.end()]);
  });

  test("statements whose names the server has lost are sent without, in and out of transactions", async () => {
    const db = openDemo({ url: (await freshUrl()).href });
    const ids = ["a", "b", "c", "d"];
    for (const id of ids) await addCounter(db, id);
    for (const id of ids) expect(await countOf(db, id)).toBe(0);
    const { sql } = await import("kysely");
    const named = await db.read((reads) => sql`select name from pg_prepared_statements`.execute(reads));
    expect(named.rows.length).toBeGreaterThan(1);
    // As behind a pooler, which gives every transaction another connection.
    await db.read((reads) => sql`deallocate all`.execute(reads));
    expect(await countOf(db, "a")).toBe(0);
    await addCounter(db, "e");
    expect(await countOf(db, "e")).toBe(0);
    await db.close();

    const writer = openDemo({ url: (await freshUrl()).href });
    for (const id of ids) await addCounter(writer, id);
    await writer.read((reads) => sql`deallocate all`.execute(reads));
    await addCounter(writer, "e");
    expect(await countOf(writer, "e")).toBe(0);
    await writer.close();
  });

  test("a table that gets another column is read on", async () => {
    const db = openDemo({ url: (await freshUrl()).href });
    await addCounter(db, "a");
    const all = () => db.read((reads) => reads.selectFrom("counter").selectAll().where("id", "=", "a").execute());
    for (let time = 0; time < 3; time++) expect(await all()).toHaveLength(1);
    const { sql } = await import("kysely");
    await db.transaction((tx) => sql`alter table counter add column colour text`.execute(tx));
    expect(await all()).toEqual([{ id: "a", count: 0, colour: null }]);
    await db.close();
  });

  test("a change that is cut off while it waits for other writers leaves the connection sound", async () => {
    const url = (await freshUrl()).href;
    const [db, other] = [openDemo({ url }), openDemo({ url })];
    await addCounter(db, "a");
    const { sql } = await import("kysely");
    let waits: Promise<unknown> = Promise.resolve();
    await other.transaction(async (tx) => {
      waits = addCounter(db, "b").catch((error: unknown) => error);
      // What the server does of itself once the time is up.
      const waiting = sql<{ pid: number }>`select pid from pg_locks where not granted and database is not null`;
      let pid: number | undefined;
      while (pid === undefined) pid = (await waiting.execute(tx)).rows[0]?.pid;
      await sql`select pg_cancel_backend(${pid})`.execute(tx);
      expect(await waits).toBeInstanceOf(Error);
    });
    await addCounter(db, "c");
    expect(await countOf(db, "c")).toBe(0);
    expect(await countOf(db, "b")).toBeUndefined();
    await Promise.all([db.close(), other.close()]);
  });
});
