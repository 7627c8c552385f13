import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { loadSqlite } from "../../src/platform/db/sqlite/library.ts";
import { migrations } from "../harness/db/all-migrations.ts";
import { makeSandbox, type Sandbox } from "../harness/git/git.ts";

const binary = join(import.meta.dirname, "..", "..", "bin", "forge.cjs");
const pageBytes = 4096;

type Ran = { code: number; out: string; err: string };

/** J05 over the real program's store: whoever meets a file that is not what Forge wrote says so, and nothing is lost. */
describe("J05 a damaged store", () => {
  let sandbox: Sandbox;
  let sound: Buffer;
  let spoiledLedger: Buffer;
  let spoiledOther: Buffer;
  let count = 0;

  function forge(project: string, args: string[]): Promise<Ran> {
    return new Promise((done) => {
      const options = { cwd: project, env: sandbox.environment, timeout: 60_000 };
      const child = execFile(process.execPath, [binary, ...args], options, (_error, out, err) =>
        done({ code: child.exitCode ?? -1, out, err }),
      );
      child.stdin?.end();
    });
  }

  function fileWith(content: Uint8Array | string): string {
    const project = join(sandbox.root, `project-${count++}`);
    const file = join(project, ".forge", "forge.db");
    mkdirSync(project);
    mkdirSync(dirname(file), { mode: 0o700 });
    writeFileSync(file, content, { mode: 0o600 });
    return file;
  }

  const projectOf = (file: string) => dirname(dirname(file));
  const quarantine = (file: string) => join(dirname(file), "quarantine");
  const copies = (file: string) =>
    existsSync(quarantine(file)) ? readdirSync(quarantine(file)).filter((name) => name.endsWith(".db")) : [];

  async function altered(...statements: string[]): Promise<Buffer> {
    const file = fileWith(sound);
    const handle = new (await loadSqlite()).DatabaseSync(file);
    for (const statement of [...statements, "pragma wal_checkpoint(truncate)"]) handle.exec(statement);
    handle.close();
    return readFileSync(file);
  }

  async function rootPages(): Promise<Map<string, number>> {
    const handle = new (await loadSqlite()).DatabaseSync(fileWith(sound));
    const rows = handle.prepare("select name, rootpage from sqlite_master where type = 'table'").all();
    handle.close();
    return new Map(rows.map((row) => Object.values(Object(row))).map(([name, page]) => [String(name), Number(page)]));
  }

  function overwritten(page: number | undefined): Buffer {
    if (page === undefined) throw new Error("there is no such table");
    const bytes = Buffer.from(sound);
    bytes.fill(0xff, (page - 1) * pageBytes, page * pageBytes);
    return bytes;
  }

  beforeAll(async () => {
    sandbox = makeSandbox();
    const project = sandbox.repository("sound", { "README.md": "# Hello\n" });
    for (let call = 0; call < 3; call++) await forge(project, ["call", "get_repository_context"]);
    sound = readFileSync(join(project, ".forge", "forge.db"));
    const pages = await rootPages();
    spoiledLedger = overwritten(pages.get("ledger_entry"));
    spoiledOther = overwritten(pages.get("lease"));
    return () => sandbox.dispose();
  });

  const corpus: [what: string, said: RegExp, content: () => Promise<Uint8Array | string> | Uint8Array | string][] = [
    ["zero bytes", /is damaged: it is empty/, () => ""],
    ["one byte", /is damaged: it has only 1 bytes/, () => "x"],
    ["garbage", /is damaged: /, () => "garbage ".repeat(5_000)],
    ["a text with a byte order mark", /is damaged: /, () => `\ufeff${"{}".repeat(5_000)}`],
    ["a byte order mark before it", /is damaged: /, () => Buffer.concat([Buffer.from("\ufeff"), sound])],
    ["half of it", /is damaged: /, () => sound.subarray(0, sound.length / 2)],
    ["its first page", /is damaged: /, () => sound.subarray(0, pageBytes)],
    ["its header", /is damaged: /, () => sound.subarray(0, 100)],
    ["zeroes of its length", /is damaged: /, () => Buffer.alloc(sound.length)],
    [
      "another first page",
      /is damaged: /,
      () => Buffer.concat([Buffer.alloc(pageBytes, 1), sound.subarray(pageBytes)]),
    ],
    ["a table more", /is damaged: its schema differs from what Forge creates/, () => altered("create table x (y)")],
  ];
  test.each(corpus)("with %s is told by every way to it, once copied, never reset", async (_what, said, content) => {
    const file = fileWith(await content());
    const before = readFileSync(file);
    const database = openDatabase({ file }, migrations);
    await expect(database.read(async () => undefined)).rejects.toMatchObject({
      code: "STORE_ERROR",
      message: expect.stringMatching(said),
    });
    await database.close();
    const [copy = ""] = copies(file);
    expect(readFileSync(join(quarantine(file), copy)).equals(before)).toBe(true);

    const log = await forge(projectOf(file), ["log"]);
    expect(log).toMatchObject({ code: 2, out: "", err: expect.stringMatching(said) });
    expect(log.err).toContain(copy);
    const call = await forge(projectOf(file), ["call", "get_repository_context"]);
    expect(call.code + call.err).not.toMatch(/INTERNAL/);
    const { code, out } = await forge(projectOf(file), ["doctor"]);
    expect(out).toContain(`Copies of damaged stores: ${join(quarantine(file), copy)}`);
    if (!said.source.includes("creates")) {
      expect(code).toBe(1);
      expect(out).toMatch(said);
    }
    expect(copies(file)).toEqual([copy]);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  const notDamaged: [what: string, said: RegExp, statements: string[]][] = [
    ["a newer Forge's", /newer version of Forge/, ["pragma user_version = 9999"]],
    ["another program's", /belongs to another program/, ["pragma application_id = 1"]],
  ];
  test.each(notDamaged)("%s is left alone and not copied: it is sound", async (_what, said, statements) => {
    const file = fileWith(await altered(...statements));
    const before = readFileSync(file);
    expect(await forge(projectOf(file), ["log"])).toMatchObject({ code: 2, out: "", err: expect.stringMatching(said) });
    expect(await forge(projectOf(file), ["doctor"])).toMatchObject({ code: 1, out: expect.stringMatching(said) });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(copies(file)).toEqual([]);
  });

  test("where only one table is damaged, the others are read", async () => {
    const file = fileWith(spoiledOther);
    const log = await forge(projectOf(file), ["log", "--json"]);
    expect(log.err).toBe("");
    expect(JSON.parse(log.out)).toHaveLength(3);
    expect((await forge(projectOf(file), ["doctor"])).out).toMatch(/is damaged: SQLite's check found/);
    expect(copies(file)).toHaveLength(1);

    const unreadable = fileWith(spoiledLedger);
    expect((await forge(projectOf(unreadable), ["log"])).err).toMatch(/is damaged: .*A copy is kept at/);
    expect(copies(unreadable)).toHaveLength(1);
  });
});
