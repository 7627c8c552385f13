import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/harness/db/store.ts";
import { addCounter, countOf, demoMigrations, openDemo } from "../../../../test/harness/db/store-demo.ts";
import { testWith } from "../../../../test/harness/faults/faults.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { assertContiguous } from "../migration-list.ts";
import { assertSafeVersion, isSafeVersion, loadSqlite } from "./library.ts";

/** Runs the script it is given as $0 where what it mounts is seen by nobody else. */
const unshared = 'exec unshare -m sh -c "$0" sh "$@"';
const worker = fileURLToPath(new URL("../../../../test/harness/db/store-once.ts", import.meta.url));
const tsx = import.meta.resolve("tsx");

describe("SQLite file", () => {
  const folder = temporaryFolder();
  const freshFile = () => join(mkdtempSync(join(folder(), "project-")), ".forge", "forge.db");

  async function failure(file: string): Promise<ForgeError> {
    const db = openDemo({ file });
    const error = await countOf(db, "c").catch((thrown: unknown) => thrown);
    await db.close();
    if (!(error instanceof ForgeError)) throw new Error(`expected a ForgeError, got ${error}`);
    return error;
  }

  let whole: Buffer;
  /** A database with enough in it that half of it is missing when half of the file is. */
  beforeAll(async () => {
    const file = freshFile();
    const db = openDemo({ file });
    for (let row = 0; row < 50; row++) await addCounter(db, `${row} ${"x".repeat(500)}`);
    await db.close();
    whole = readFileSync(file);
  });

  function fileWith(content: Uint8Array | string): string {
    const file = freshFile();
    mkdirSync(dirname(file));
    writeFileSync(file, content);
    return file;
  }

  test("is made private, in a private folder that git ignores", async () => {
    const file = freshFile();
    const db = openDemo({ file });
    await addCounter(db, "c");
    if (process.platform !== "win32") {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(`${file}-wal`).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    }
    expect(readFileSync(join(dirname(file), ".gitignore"), "utf8")).toBe("*\n");
    await db.close();
  });

  test("leaves what a person put in the folder as it is", async () => {
    const file = freshFile();
    mkdirSync(dirname(file));
    writeFileSync(join(dirname(file), ".gitignore"), "mine\n");
    const db = openDemo({ file });
    await addCounter(db, "c");
    await db.close();
    expect(readFileSync(join(dirname(file), ".gitignore"), "utf8")).toBe("mine\n");
  });

  test("is not made before it is used", async () => {
    const file = freshFile();
    await openDemo({ file }).close();
    expect(() => statSync(dirname(file))).toThrow(/ENOENT/);
  });

  test("has the settings that keep data safe", async () => {
    const file = freshFile();
    const db = openDemo({ file });
    await addCounter(db, "c");
    const { sql } = await import("kysely");
    const settings = await db.transaction(async (tx) => ({
      ...(await sql<object>`pragma synchronous`.execute(tx)).rows[0],
      ...(await sql<object>`pragma foreign_keys`.execute(tx)).rows[0],
      ...(await sql<object>`pragma journal_mode`.execute(tx)).rows[0],
      ...(await sql<object>`pragma trusted_schema`.execute(tx)).rows[0],
    }));
    expect(settings).toEqual({ synchronous: 2, foreign_keys: 1, journal_mode: "wal", trusted_schema: 0 });
    await expect(db.read((reads) => sql`delete from counter`.execute(reads))).rejects.toMatchObject({
      code: "STORE_ERROR",
    });
    await db.close();
  });

  test("a first step that fails leaves a file that a later start can use", async () => {
    const file = freshFile();
    const broken = openDemo({ file }, [
      {
        id: 1,
        name: "broken",
        async up() {
          throw new Error("broken step");
        },
      },
    ]);
    await expect(countOf(broken, "c")).rejects.toThrow("broken step");
    await broken.close();
    const db = openDemo({ file });
    await addCounter(db, "c");
    expect(await countOf(db, "c")).toBe(0);
    await db.close();
  });

  test("another program's database is refused and left as it is", async () => {
    const file = freshFile();
    mkdirSync(dirname(file));
    const { DatabaseSync } = await loadSqlite();
    const handle = new DatabaseSync(file);
    handle.exec("create table theirs (id); pragma user_version = 1");
    handle.close();
    const before = readFileSync(file);
    expect(await failure(file)).toMatchObject({ code: "STORE_ERROR", message: /another program's/ });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("a folder in the file's place, a file in the folder's, and links are refused", async () => {
    const asFolder = freshFile();
    mkdirSync(asFolder, { recursive: true });
    expect(await failure(asFolder)).toMatchObject({ code: "STORE_ERROR", message: /is no file/ });
    const inFile = freshFile();
    writeFileSync(dirname(inFile), "");
    expect(await failure(inFile)).toMatchObject({ code: "STORE_ERROR", message: /is no folder/ });
    const linked = freshFile();
    symlinkSync(folder(), dirname(linked));
    expect(await failure(linked)).toMatchObject({ code: "STORE_ERROR", message: /symbolic link/ });
    const linkedFile = freshFile();
    mkdirSync(dirname(linkedFile));
    symlinkSync(join(folder(), "elsewhere"), linkedFile);
    expect(await failure(linkedFile)).toMatchObject({ code: "STORE_ERROR", message: /symbolic link/ });
  });

  test("a store that failed to open is tried again at the next use", async () => {
    const file = freshFile();
    const missing = dirname(dirname(file));
    const away = join(missing, "not-yet", ".forge", "forge.db");
    const db = openDemo({ file: away });
    await expect(countOf(db, "c")).rejects.toMatchObject({ code: "STORE_ERROR" });
    mkdirSync(join(missing, "not-yet"));
    expect(await countOf(db, "c")).toBeUndefined();
    await db.close();
  });

  test("a database of a newer Forge is refused and left as it is", async () => {
    const file = fileWith(whole);
    const before = readFileSync(file);
    const db = openDemo({ file }, demoMigrations.slice(0, 1));
    await expect(countOf(db, "c")).rejects.toMatchObject({
      code: "STORE_ERROR",
      message: /newer Forge \(schema 2; this program knows 1\)/,
      next: [expect.stringContaining("Update Forge")],
    });
    await db.close();
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("a failing migration leaves the schema at the one before, and a later start goes on", async () => {
    const file = freshFile();
    const [first, second] = demoMigrations;
    if (!first || !second) throw new Error("two migrations are needed");
    const broken = openDemo({ file }, [
      first,
      {
        ...second,
        async up(db, engine) {
          await second.up(db, engine);
          throw new Error("broken step");
        },
      },
    ]);
    await expect(countOf(broken, "c")).rejects.toThrow("broken step");
    await broken.close();
    const whole = openDemo({ file });
    await addCounter(whole, "c");
    expect(await whole.read((reads) => reads.selectFrom("note").selectAll().execute())).toEqual([]);
    await whole.close();
  });

  testWith(["rootOnLinux"], "a folder this user may not write to is named", () => {
    const file = freshFile();
    for (const path of [folder(), dirname(dirname(file))]) chmodSync(path, 0o755);
    const scratch = mkdtempSync(join(folder(), "scratch-"));
    chmodSync(scratch, 0o777);
    const nobody = { uid: 65534, gid: 65534 };
    const env = { PATH: "/usr/bin:/bin", HOME: scratch, TMPDIR: scratch };
    const child = spawnSync(process.execPath, ["--import", tsx, worker, file], { encoding: "utf8", env, ...nobody });
    expect(child.stdout + child.stderr).toMatch(/^STORE_ERROR .*cannot be written by this user/);
    expect(() => statSync(dirname(file))).toThrow(/ENOENT/);
  });

  testWith(["mounts"], "a full disk is named and costs nothing that was there", () => {
    const project = dirname(dirname(freshFile()));
    const fill = `mount -t tmpfs -o size=300k tmpfs "$1" && "$2" --import "$3" "$4" "$1/.forge/forge.db" fill`;
    const out = execFileSync("sh", ["-c", unshared, fill, project, process.execPath, tsx, worker], {
      encoding: "utf8",
    });
    expect(out).toMatch(/^STORE_ERROR The disk is full.*\nkept all of \d+, integrity ok\n$/);
  });
});

describe("SQLite library", () => {
  test("versions before the multi-process fix are refused", () => {
    for (const good of ["3.51.3", "3.51.10", "3.52.0", "3.53.4", "4.0.0"]) expect(isSafeVersion(good)).toBe(true);
    for (const bad of ["3.40.1", "3.45.1", "3.51.2", "3.9.99", "2.99.99"]) {
      expect(isSafeVersion(bad)).toBe(false);
      expect(() => assertSafeVersion(bad)).toThrow(`SQLite ${bad} is too old`);
    }
  });
});

test("migration ids count from 1 without gaps or doubles", () => {
  const [first, second] = demoMigrations;
  if (!first || !second) throw new Error("two migrations are needed");
  assertContiguous([first, second]);
  for (const wrong of [[second], [first, first], [second, first], [first, { ...second, id: 3 }]]) {
    expect(() => assertContiguous(wrong)).toThrow(/ids count from 1/);
  }
});
