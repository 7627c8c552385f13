import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/harness/db/store.ts";
import { addCounter, addNote, countOf, openDemo } from "../../../../test/harness/db/store-demo.ts";
import { testWith } from "../../../../test/harness/faults/faults.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { inspectSqlite } from "../inspect.ts";
import { loadSqlite } from "./library.ts";

const worker = fileURLToPath(new URL("../../../../test/harness/db/store-once.ts", import.meta.url));
const tsx = import.meta.resolve("tsx");
const pageBytes = 4096;
const inDamage = `1 ${"x".repeat(500)}`;

describe("a damaged database", () => {
  const folder = temporaryFolder();
  const freshFile = () => {
    const file = join(mkdtempSync(join(folder(), "project-")), ".forge", "forge.db");
    mkdirSync(dirname(file), { mode: 0o700 });
    return file;
  };

  let whole: Buffer;
  let log: Buffer;
  beforeAll(async () => {
    const file = freshFile();
    const db = openDemo({ file });
    for (let row = 0; row < 50; row++) await addCounter(db, `${row} ${"x".repeat(500)}`);
    await addNote(db, "n");
    await db.close();
    whole = readFileSync(file);
    const busy = openDemo({ file });
    await addCounter(busy, "in the log");
    log = readFileSync(`${file}-wal`);
    await busy.close();
  });

  function fileWith(content: Uint8Array | string, logContent?: Uint8Array): string {
    const file = freshFile();
    writeFileSync(file, content, { mode: 0o600 });
    if (logContent) writeFileSync(`${file}-wal`, logContent, { mode: 0o600 });
    return file;
  }

  async function refusal(work: () => Promise<unknown>): Promise<ForgeError> {
    const error = await work().catch((thrown: unknown) => thrown);
    if (!(error instanceof ForgeError)) throw new Error(`expected a ForgeError, got ${error}`);
    return error;
  }

  async function opening(file: string): Promise<ForgeError> {
    const db = openDemo({ file });
    try {
      return await refusal(() => countOf(db, "c"));
    } finally {
      await db.close();
    }
  }

  const quarantine = (file: string) => join(dirname(file), "quarantine");
  const copies = (file: string) => (existsSync(quarantine(file)) ? readdirSync(quarantine(file)).sort() : []);

  const damages: [what: string, said: RegExp, content: () => Uint8Array | string][] = [
    ["zero bytes", /it is empty \(0 bytes\)/, () => ""],
    ["garbage", /does not start like an SQLite database/, () => "garbage ".repeat(2_000)],
    ["a few bytes", /it has only 1 bytes/, () => "x"],
    ["half of a database", /missing or was overwritten/, () => whole.subarray(0, whole.length / 2)],
    ["a cut within the first page", /damaged: /, () => whole.subarray(0, 700)],
    ["a cut within the header", /it has only 50 bytes/, () => whole.subarray(0, 50)],
    [
      "wrong first bytes",
      /does not start/,
      () => Buffer.concat([Buffer.from("SQLite format 4\0"), whole.subarray(16)]),
    ],
    ["a byte order mark before it", /does not start/, () => Buffer.concat([Buffer.from("\ufeff"), whole])],
    ["a first page of zeroes", /damaged: /, () => Buffer.concat([Buffer.alloc(pageBytes), whole.subarray(pageBytes)])],
  ];
  test.each(damages)("J05 with %s is refused, left as it is, and a copy is kept", async (_what, said, content) => {
    const file = fileWith(content());
    const before = readFileSync(file);
    const error = await opening(file);
    expect(error).toMatchObject({ code: "STORE_ERROR", details: { file } });
    expect(error.message).toMatch(said);
    expect(error.message).toContain(`Nothing was changed or reset: ${file}`);
    expect(JSON.stringify(error.next)).toMatch(/backup.*"doctor".*move the file/);
    expect(readFileSync(file).equals(before)).toBe(true);

    const [name = ""] = copies(file);
    const sha256 = createHash("sha256").update(before).digest("hex");
    expect(name).toMatch(/^forge-\d{8}T\d{6}Z-[0-9a-f]{12}\.db$/);
    expect(name).toContain(sha256.slice(0, 12));
    const copy = join(quarantine(file), name);
    expect(error.message).toContain(`A copy is kept at ${copy}.`);
    expect(readFileSync(copy).equals(before)).toBe(true);
    if (process.platform !== "win32") {
      expect(statSync(copy).mode & 0o777).toBe(0o600);
      expect(statSync(quarantine(file)).mode & 0o777).toBe(0o700);
    }

    expect(await opening(file)).toMatchObject({ details: { copy } });
    expect(await refusal(() => inspectSqlite(file))).toMatchObject({ details: { copy } });
    expect(copies(file)).toEqual([name]);
  });

  test("its log is copied with it, and neither is changed by looking", async () => {
    const garbled = Buffer.concat([Buffer.from("SQLite format 4\0"), whole.subarray(16)]);
    // Without its header a log counts for nothing; so this one lacks only the database's first page.
    for (const content of ["", "x", garbled]) {
      const file = fileWith(content, log);
      const before = readFileSync(file);
      await opening(file);
      await refusal(() => inspectSqlite(file));
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);
      const [copy = "", copiedLog] = copies(file);
      expect(copiedLog).toBe(`${copy}-wal`);
      expect(readFileSync(join(quarantine(file), `${copy}-wal`)).equals(log)).toBe(true);
    }
  });

  test("one that is gone while its log is there is not begun anew", async () => {
    const file = freshFile();
    writeFileSync(`${file}-wal`, log, { mode: 0o600 });
    expect((await opening(file)).message).toMatch(/it is missing, but its log/);
    expect(existsSync(file)).toBe(false);
    expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);
  });

  test("several processes that meet it at once make one copy", async () => {
    const file = fileWith("garbage ".repeat(50_000));
    const children = Array.from({ length: 4 }, () => spawn(process.execPath, ["--import", tsx, worker, file]));
    await Promise.all(children.map((child) => once(child, "close")));
    expect(copies(file)).toHaveLength(1);
  });

  test("at most five are kept, and then it says so", async () => {
    const file = freshFile();
    for (let damage = 1; damage <= 7; damage++) {
      writeFileSync(file, `${damage} garbage`.repeat(100));
      const { message } = await opening(file);
      if (damage <= 5) expect(message).toContain("A copy is kept at");
      else expect(message).toContain(`A copy could not be made: there are already 5 copies in ${quarantine(file)}`);
      expect(copies(file)).toHaveLength(Math.min(damage, 5));
    }
  });

  test("a link where the copies go is not followed", async () => {
    const file = fileWith("garbage ".repeat(100));
    const elsewhere = mkdtempSync(join(folder(), "elsewhere-"));
    symlinkSync(elsewhere, quarantine(file));
    expect((await opening(file)).message).toMatch(
      /A copy could not be made: .*quarantine does not belong to this user/,
    );
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  const unshared = 'exec unshare -m sh -c "$0" sh "$@"';
  testWith(["mounts"], "a full or read-only disk is named, and the file is left", () => {
    const run = (mount: string) => {
      const project = mkdtempSync(join(folder(), "project-"));
      const script = `mount -t tmpfs -o size=300k tmpfs "$1" && mkdir -m 700 "$1/.forge" && head -c 200000 /dev/zero | tr '\\\\0' x > "$1/.forge/forge.db" && printf '*\\\\n' > "$1/.forge/.gitignore" && chmod 600 "$1/.forge/forge.db" && ${mount} && "$2" --import "$3" "$4" "$1/.forge/forge.db" && wc -c < "$1/.forge/forge.db" && ls "$1/.forge"`;
      return execFileSync("sh", ["-c", unshared, script, project, process.execPath, tsx, worker], {
        encoding: "utf8",
      });
    };
    expect(run("true")).toMatch(
      /^STORE_ERROR .*A copy could not be made: the disk has no space for it\.\n200000\nforge\.db\n/,
    );
    expect(run('mount -o remount,ro "$1"')).toMatch(
      /^STORE_ERROR .*A copy could not be made: the file system is read-only\.\n200000\nforge\.db\n$/,
    );
  });

  /** A database whose notes can be read and whose counters cannot. */
  async function partlyDamaged(): Promise<string> {
    const { DatabaseSync } = await loadSqlite();
    // Another file than the one it returns: a connection to that one would spoil the test of locks.
    const handle = new DatabaseSync(fileWith(whole));
    const row = handle.prepare("select rootpage from sqlite_master where name = 'counter'").all()[0];
    handle.close();
    const [rootPage] = Object.values(Object(row));
    const bytes = Buffer.from(whole);
    bytes.fill(0xff, (Number(rootPage) - 1) * pageBytes, Number(rootPage) * pageBytes);
    return fileWith(bytes);
  }

  test("J05 where only a part is damaged, the rest is read and written, and one copy is enough", async () => {
    const file = await partlyDamaged();
    const before = readFileSync(file);
    const db = openDemo({ file });
    const notes = () => db.read((reads) => reads.selectFrom("note").select("id").orderBy("id").execute());
    expect(await notes()).toEqual([{ id: "n" }]);
    const error = await refusal(() => countOf(db, inDamage));
    expect(error).toMatchObject({ code: "STORE_ERROR", message: expect.stringContaining("overwritten") });
    const [copy = ""] = copies(file);
    expect(readFileSync(join(quarantine(file), copy)).equals(before)).toBe(true);
    await addNote(db, "o");
    expect(await notes()).toEqual([{ id: "n" }, { id: "o" }]);
    await refusal(() => addCounter(db, "c"));
    await db.close();

    expect(readFileSync(file).equals(before)).toBe(false);
    const later = openDemo({ file });
    expect(await refusal(() => countOf(later, inDamage))).toMatchObject({ details: error.details });
    await later.close();
    expect((await refusal(() => inspectSqlite(file))).message).toContain("SQLite's check found");
    expect(copies(file).map((name) => basename(name))).toEqual([copy, `${copy}-wal`].slice(0, copies(file).length));
  });

  testWith(["linux"], "making a copy takes none of the locks that SQLite holds on the file", async () => {
    const file = await partlyDamaged();
    const { ino } = statSync(file);
    const locks = () =>
      readFileSync("/proc/locks", "utf8")
        .split("\n")
        .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `)).length;
    const db = openDemo({ file });
    await db.read((reads) => reads.selectFrom("note").selectAll().execute());
    const before = locks();
    expect(before).toBeGreaterThan(0);
    await refusal(() => countOf(db, inDamage));
    expect(copies(file)).toHaveLength(1);
    expect(locks()).toBe(before);
    await db.close();
  });
});
