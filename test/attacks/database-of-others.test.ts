import { randomBytes } from "node:crypto";
import pg from "pg";
import { expect, test } from "vitest";
import { resolveSettings } from "../../src/app/settings/config.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { migrations } from "../harness/db/all-migrations.ts";
import { describeWithPostgres } from "../harness/db/store.ts";

const application = "postgres://app:pw@db.example.org/shop";
const settingsFrom = (env: Record<string, string>) => resolveSettings({ flags: {}, env, file: undefined });

test("J an application's DATABASE_URL is not a project's store", () => {
  const { settings, problems } = settingsFrom({ DATABASE_URL: application });
  expect(settings.databaseUrl).toBeUndefined();
  expect(settings.serverDatabaseUrl).toBe(application);
  expect(problems).toEqual([]);
  expect(settingsFrom({ FORGE_DATABASE_URL: application }).settings.databaseUrl).toBe(application);
  const shared = { DATABASE_URL: application, FORGE_USE_DATABASE_URL: "1" };
  expect(settingsFrom(shared).settings.databaseUrl).toBe(application);
});

test("J an unknown scheme is one clear error, and another program's is none of ours", () => {
  const { problems } = settingsFrom({ FORGE_DATABASE_URL: "mysql://app:pw@db/shop" });
  expect(problems.map(({ setting }) => setting)).toEqual(["databaseUrl"]);
  expect(problems[0]?.error.message).toMatch(/FORGE_DATABASE_URL.*postgres:\/\//);
  const app = settingsFrom({ DATABASE_URL: "mysql://app:pw@db/shop" });
  expect(app.problems.map(({ setting }) => setting)).toEqual(["serverDatabaseUrl"]);
});

async function openAt(url: string, steps = migrations): Promise<void> {
  const database = openDatabase<unknown>({ url }, steps);
  try {
    await database.read(async () => undefined);
  } finally {
    await database.close();
  }
}

describeWithPostgres("a database that an application uses", (engine) => {
  async function fresh() {
    const place = await engine.fresh();
    if (!("url" in place)) throw new Error("expected an address");
    const ask = async (query: string): Promise<string[]> => {
      const client = new pg.Client({ connectionString: place.url });
      await client.connect();
      try {
        const { rows } = await client.query(query);
        return rows.map((row: Record<string, unknown>) => String(Object.values(row)[0]));
      } finally {
        await client.end();
      }
    };
    const tablesOf = (schema: string) =>
      ask(`select table_name from information_schema.tables where table_schema = '${schema}' order by 1`);
    const open = (steps = migrations) => openAt(place.url, steps);
    return { ask, tablesOf, open, url: new URL(place.url) };
  }

  test("J gets a schema of Forge's own, and its tables of the same names stay as they are", async () => {
    const { ask, tablesOf, open } = await fresh();
    await ask("create table ticket (mine text)");
    await ask("insert into ticket values ('kept')");
    await open();
    expect(await tablesOf("public")).toEqual(["ticket"]);
    expect(await ask("select mine from public.ticket")).toEqual(["kept"]);
    expect(await tablesOf("forge")).toContain("ticket");
  });

  test("J a step that fails leaves nothing behind", async () => {
    const { tablesOf, open } = await fresh();
    const broken = migrations.map((step, at) =>
      at === 6 ? { ...step, up: () => Promise.reject(new Error("no")) } : step,
    );
    await expect(open(broken)).rejects.toThrow();
    expect([...(await tablesOf("forge")), ...(await tablesOf("public"))]).toEqual([]);
    await open();
    expect(await tablesOf("forge")).toContain("ledger_entry");
  });

  test("J a schema named forge that is somebody else's is refused", async () => {
    const { ask, tablesOf, open } = await fresh();
    await ask("create schema forge create table forge.hammer (weight int)");
    await expect(open()).rejects.toMatchObject({
      code: "STORE_ERROR",
      message: expect.stringContaining("not made by Forge"),
    });
    expect(await tablesOf("forge")).toEqual(["hammer"]);
  });

  test("tables of an earlier version are moved with their rows, an application's are not", async () => {
    const { ask, tablesOf, open } = await fresh();
    await open(migrations.slice(0, 4));
    for (const table of await tablesOf("forge")) await ask(`alter table forge.${table} set schema public`);
    await ask("drop schema forge");
    await ask("insert into untrusted_reader values ('local:ada', 'x', 1)");
    await ask("create table task (mine text)");
    await open();
    expect(await tablesOf("public")).toEqual(["task"]);
    expect(await ask("select agent from forge.untrusted_reader")).toEqual(["x"]);
  });

  test("J tables that another role has prepared are not taken for Forge's own, wherever they are", async () => {
    const { ask, open, url } = await fresh();
    const suffix = randomBytes(4).toString("hex");
    const [mallory, victim] = [`mallory_${suffix}`, `victim_${suffix}`];
    for (const role of [mallory, victim]) await ask(`create role ${role} login password 'pw'`);
    await ask(`grant create on database "${url.pathname.slice(1)}" to ${victim}`);
    await ask(`grant usage on schema public to ${victim}`);
    await open();
    const tables = await ask("select table_name from information_schema.tables where table_schema = 'forge'");
    for (const table of tables) await ask(`alter table forge."${table}" owner to ${mallory}`);
    await ask(`grant usage on schema forge to ${victim}`);
    await ask("grant all on all tables in schema forge to public");
    const own = new URL(url);
    own.username = victim;
    own.password = "pw";
    const asVictim = () => openAt(own.href);
    await expect(asVictim()).rejects.toMatchObject({ message: expect.stringContaining(`not by the user ${victim}`) });
    for (const table of tables) await ask(`alter table forge."${table}" set schema public`);
    await ask("drop schema forge cascade");
    await asVictim();
    expect(await ask("select tableowner from pg_tables where tablename = 'forge_schema' order by schemaname")).toEqual([
      victim,
      mallory,
    ]);
  });
});
