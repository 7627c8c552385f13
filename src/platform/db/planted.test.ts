import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/harness/db/store.ts";
import { addCounter, countOf, demoMigrations, openDemo } from "../../../test/harness/db/store-demo.ts";
import { testWith } from "../../../test/harness/faults/faults.ts";
import { inspectSqlite } from "./inspect.ts";
import { loadSqlite, type SqliteLibrary } from "./sqlite/library.ts";

const nobody = 65534;

/** A journal that says: nothing to restore, but this file belonged to the same transaction. */
function journalNaming(victim: string, database: Buffer): Buffer {
  const magic = Buffer.from("d9d505f920a163d7", "hex");
  const pageSize = database.readUInt16BE(16);
  const header = Buffer.alloc(512);
  magic.copy(header);
  [0, 1234, database.length / pageSize, header.length, pageSize].forEach((field, index) => {
    header.writeUInt32BE(field, magic.length + 4 * index);
  });
  const name = Buffer.from(victim);
  const record = (...fields: number[]) => {
    const bytes = Buffer.alloc(4 * fields.length);
    fields.forEach((field, index) => {
      bytes.writeUInt32BE(field, 4 * index);
    });
    return bytes;
  };
  const checksum = name.reduce((sum, byte) => sum + byte, 0);
  const lockPage = 0x40000000 / pageSize + 1;
  return Buffer.concat([header, record(lockPage), name, record(name.length, checksum), magic]);
}

describe("a database that came with a cloned repository", () => {
  const folder = temporaryFolder();
  const freshFile = () => {
    const file = join(mkdtempSync(join(folder(), "project-")), ".forge", "forge.db");
    mkdirSync(dirname(file), { mode: 0o700 });
    return file;
  };
  let library: SqliteLibrary;
  beforeAll(async () => {
    library = await loadSqlite();
  });

  /** One of ours, changed by somebody who knows how. */
  async function plant(...statements: string[]): Promise<string> {
    const file = freshFile();
    const db = openDemo({ file });
    await addCounter(db, "c");
    await db.close();
    alter(file, ...statements);
    return file;
  }

  function alter(file: string, ...statements: string[]): void {
    const handle = new library.DatabaseSync(file);
    handle.enableDefensive?.(false);
    for (const statement of ["pragma writable_schema = on", ...statements, "pragma wal_checkpoint(truncate)"])
      handle.exec(statement);
    handle.close();
  }

  async function refusal(file: string): Promise<unknown> {
    const db = openDemo({ file });
    try {
      return await addCounter(db, "d").catch((thrown: unknown) => thrown);
    } finally {
      await db.close();
    }
  }

  describe("with a left-over journal that names another file", () => {
    async function trap(): Promise<{ file: string; journal: string; victim: string }> {
      const file = freshFile();
      const database = readFileSync(await plant());
      // The header's word for a database that is not in WAL mode.
      database.fill(1, 18, 20);
      writeFileSync(file, database, { mode: 0o600 });
      const victim = join(mkdtempSync(join(folder(), "home-")), "precious");
      writeFileSync(victim, "precious");
      const journal = `${file}-journal`;
      writeFileSync(journal, journalNaming(victim, database), { mode: 0o600 });
      return { file, journal, victim };
    }

    test("is refused by name, and that file is still there", async () => {
      const { file, journal, victim } = await trap();
      const before = [file, journal].map((path) => readFileSync(path));
      const refused = {
        code: "STORE_ERROR",
        message: expect.stringContaining(journal),
        next: [expect.stringMatching(/^Move forge\.db-journal/)],
      };
      expect(await refusal(file)).toMatchObject(refused);
      await expect(inspectSqlite(file)).rejects.toMatchObject(refused);
      expect(readFileSync(victim, "utf8")).toBe("precious");
      expect([file, journal].map((path) => readFileSync(path))).toEqual(before);
    });

    test("(the packaged SQLite by itself deletes it)", async () => {
      const { file, victim } = await trap();
      const { DatabaseSync } = await import("@photostructure/sqlite");
      const handle = new DatabaseSync(file);
      handle.prepare("select count(*) from counter").all();
      handle.close();
      expect(existsSync(victim)).toBe(false);
    });

    test("a journal that another process has only begun to write is no such journal", async () => {
      const { file, journal } = await trap();
      writeFileSync(journal, readFileSync(journal).subarray(0, 8));
      expect(await refusal(file)).not.toBeInstanceOf(Error);
    });

    test("an ordinary journal is SQLite's to restore from", async () => {
      const { file, journal, victim } = await trap();
      const content = readFileSync(journal);
      writeFileSync(journal, content.subarray(0, 512));
      expect(await refusal(file)).not.toBeInstanceOf(Error);
      expect(existsSync(victim)).toBe(true);
    });
  });

  const trigger = "create trigger t1 after insert on counter begin delete from counter; end";
  const alterations: [what: string, named: RegExp, statements: string[]][] = [
    ["a trigger", /a trigger named t1\./, [trigger]],
    [
      "a trigger with a name like SQLite's own",
      /a trigger named sqlite_t1/,
      [
        trigger.replace("t1", "zz"),
        "update sqlite_master set name = 'sqlite_t1', sql = replace(sql, 'zz', 'sqlite_t1') where name = 'zz'",
      ],
    ],
    [
      "a view in a table's place",
      /a view named counter/,
      [
        "drop table counter",
        "create view counter as with recursive r(n) as (select 1 union all select n + 1 from r) select 'c' id, n count from r",
      ],
    ],
    [
      "another constraint",
      /a table named counter/,
      ["update sqlite_master set sql = replace(sql, 'not null', 'not null on conflict ignore') where name = 'counter'"],
    ],
    ["another index", /a index named i1/, ["create index i1 on counter (count)"]],
    ["a table less", /no table named note/, ["drop table note"]],
    ["a name that hides something", /named t\\u202e1\./, [trigger.replace("t1", '"t\u202e1"')]],
    ["no version", /a table named counter/, ["pragma user_version = 0"]],
    ["a version below zero", /a schema numbered -5/, ["pragma user_version = -5"]],
    ["an older version than its tables", /a table named note/, ["pragma user_version = 1"]],
  ];
  test.each(alterations)("with %s is refused and left as it is", async (_what, named, statements) => {
    const file = await plant(...statements);
    const before = readFileSync(file);
    expect(await refusal(file)).toMatchObject({
      code: "STORE_ERROR",
      message: expect.stringMatching(named),
      details: { file },
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("one as Forge makes it is used, at every version", async () => {
    const file = freshFile();
    for (const known of [1, 2, 2]) {
      const db = openDemo({ file }, demoMigrations.slice(0, known));
      expect(await countOf(db, "c")).toBeUndefined();
      await db.close();
    }
  });

  testWith(["posix"], "one that others may read is closed to them", async () => {
    const file = await plant();
    chmodSync(file, 0o644);
    writeFileSync(`${file}-wal`, "", { mode: 0o644 });
    const db = openDemo({ file });
    await addCounter(db, "d");
    for (const path of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(path).mode & 0o777).toBe(0o600);
    await db.close();
  });

  testWith(["root"], "another user's file or folder is refused and left as it is", async () => {
    const theirs = { code: "STORE_ERROR", message: expect.stringContaining("belongs to another user") };
    const file = await plant();
    chmodSync(file, 0o666);
    chownSync(file, nobody, nobody);
    expect(await refusal(file)).toMatchObject(theirs);
    expect(statSync(file).mode & 0o777).toBe(0o666);
    const log = await plant();
    writeFileSync(`${log}-wal`, "");
    chownSync(`${log}-wal`, nobody, nobody);
    expect(await refusal(log)).toMatchObject(theirs);
    const inTheirs = await plant();
    chownSync(dirname(inTheirs), nobody, nobody);
    expect(await refusal(inTheirs)).toMatchObject(theirs);
  });

  testWith(["root"], "root leaves nothing in another user's project", async () => {
    const project = mkdtempSync(join(folder(), "project-"));
    chownSync(project, nobody, nobody);
    expect(await refusal(join(project, ".forge", "forge.db"))).toMatchObject({
      code: "STORE_ERROR",
      message: expect.stringContaining(`${project} belongs to another user`),
    });
    expect(existsSync(join(project, ".forge"))).toBe(false);
  });
});
