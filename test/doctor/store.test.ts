import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { loadSqlite } from "../../src/platform/db/sqlite/library.ts";
import { networkFileSystem, networkName } from "../../src/platform/state/file-system.ts";
import { writeVersionMark } from "../../src/platform/state/marks.ts";
import { findProject } from "../../src/platform/state/project.ts";
import { fileSystemFinding } from "../../src/rooms/setup/doctor/checks/store-place.ts";
import { describeWithPostgres } from "../harness/db/store.ts";
import { testWith } from "../harness/faults/faults.ts";
import { Patient } from "../harness/rooms/patient.ts";

const nobody = 65_534;

let patient: Patient;

beforeEach(() => {
  patient = new Patient();
});

function replace(file: string, make: () => void): void {
  rmSync(file);
  make();
}

describe("the store", () => {
  test("is fine, also before there is one", async () => {
    expect(await patient.find("store")).toMatchObject({
      state: "ok",
      message: expect.stringContaining("not created yet"),
    });
    const file = await patient.makeStore();
    expect(await patient.find("store")).toMatchObject({ state: "ok", message: `${file} is intact.` });
    expect(await patient.find("store", { knownSchema: 3 })).toMatchObject({
      state: "ok",
      message: expect.stringContaining("at the next use (2 steps)"),
    });
  });

  test("of a newer Forge", async () => {
    await patient.makeStore();
    expect(await patient.find("store", { knownSchema: 0 })).toMatchObject({
      state: "problem",
      message: expect.stringContaining("newer version of Forge (schema 1; this one knows 0)"),
    });
  });

  test.each([
    ["zero bytes", (file: string) => truncateSync(file), "problem"],
    ["rubbish", (file: string) => writeFileSync(file, "rubbish ".repeat(1000)), "problem"],
    ["cut in the middle", (file: string) => truncateSync(file, 4096), "problem"],
    ["a folder", (file: string) => replace(file, () => mkdirSync(file)), "problem"],
    ["a link", (file: string) => replace(file, () => symlinkSync("/etc/hostname", file)), "problem"],
  ])("J05 with %s in its place is told, and left as it is", async (_name, spoil, state) => {
    const file = await patient.makeStore();
    for (const end of ["-wal", "-shm"]) rmSync(file + end, { force: true });
    spoil(file);
    const before = statSync(file).size;
    expect(await patient.find("store", {}, true)).toMatchObject({ state, message: expect.stringContaining(file) });
    expect(statSync(file).size).toBe(before);
  });

  test("copies of damaged ones are told of, and that there is no room for more", async () => {
    const file = await patient.makeStore();
    expect(await patient.find("store-quarantine")).toBeUndefined();
    for (let damage = 1; damage <= 5; damage++) {
      writeFileSync(file, `${damage} rubbish`.repeat(1000));
      await patient.find("store");
      expect(await patient.find("store-quarantine")).toMatchObject({
        state: damage < 5 ? "ok" : "warning",
        message: expect.stringContaining(join(patient.stateDir, "quarantine")),
      });
    }
  });

  /** A file that SQLite makes for whoever asks, without what Forge adds. */
  async function plainDatabase(...statements: string[]): Promise<void> {
    const { stateDir, databaseFile } = findProject(patient.folder);
    mkdirSync(stateDir, { mode: 0o700 });
    const handle = new (await loadSqlite()).DatabaseSync(databaseFile);
    for (const statement of ["create table things (name text)", ...statements]) handle.exec(statement);
    handle.close();
  }

  test("instead of WAL", async () => {
    await plainDatabase(`pragma application_id = ${0x46524745}`, "pragma user_version = 1");
    expect(await patient.find("store")).toMatchObject({
      state: "warning",
      message: expect.stringContaining("instead of WAL"),
    });
  });

  test("that is another program's", async () => {
    await plainDatabase();
    expect(await patient.find("store")).toMatchObject({
      state: "problem",
      message: expect.stringContaining("belongs to another program"),
    });
  });

  testWith(["root"], "J04 that this user may not read", async () => {
    const file = await patient.makeStore();
    for (const path of [patient.folder, join(patient.folder, ".forge"), file])
      chmodSync(path, path === file ? 0o600 : 0o755);
    chmodSync(patient.sandbox.root, 0o755);
    const script = `import("./src/platform/db/inspect.ts").then(({ inspectSqlite }) => inspectSqlite(${JSON.stringify(file)})).catch((error) => console.log(error.message))`;
    const said = execFileSync(
      process.execPath,
      ["--import", "tsx", "-e", `process.setgid(${nobody});process.setuid(${nobody});${script}`],
      { encoding: "utf8", env: { ...process.env, TSX_DISABLE_CACHE: "1" } },
    );
    expect(said).toMatch(/cannot be (opened|written by this user)/);
  });

  test("that others may read, and that git would commit, is fixed by --fix", async () => {
    const file = await patient.makeStore();
    chmodSync(join(patient.folder, ".forge"), 0o755);
    chmodSync(file, 0o644);
    rmSync(join(patient.folder, ".forge", ".gitignore"));
    expect(await patient.find("store-permissions")).toMatchObject({ state: "warning", fixable: true });
    expect(await patient.find("store-ignored")).toMatchObject({ state: "warning", fixable: true });
    expect(await patient.find("store-permissions", {}, true)).toMatchObject({ state: "ok", fixed: expect.any(String) });
    expect(await patient.find("store-ignored", {}, true)).toMatchObject({ state: "ok", fixed: expect.any(String) });
    expect(statSync(join(patient.folder, ".forge")).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(patient.sandbox.git(patient.folder, "status", "--porcelain")).toBe("");
  });

  test.each(["", "!*\n", "*\n!forge.db\n"])("that a repository has git see by %j is found and fixed", async (text) => {
    await patient.makeStore();
    writeFileSync(join(patient.folder, ".forge", ".gitignore"), text);
    expect(await patient.find("store-ignored")).toMatchObject({
      state: "warning",
      message: expect.stringContaining("does not ignore everything"),
    });
    expect(await patient.find("store-ignored", {}, true)).toMatchObject({ state: "ok", fixed: expect.any(String) });
    expect(patient.sandbox.git(patient.folder, "status", "--porcelain")).toBe("");
  });

  test("on a network file system; here it is on none", () => {
    expect(networkFileSystem(patient.folder)).toBeUndefined();
    expect([0x6969, -11317950, 0xff534d42].map(networkName)).toEqual(["NFS", "CIFS", "CIFS"]);
    expect(fileSystemFinding("NFS")).toMatchObject({ state: "warning", message: expect.stringContaining("NFS") });
  });

  test("used by several versions of Forge", async () => {
    await patient.makeStore();
    const { stateDir } = patient;
    writeVersionMark(stateDir, "1.2.3");
    expect(await patient.find("versions")).toMatchObject({ state: "ok" });
    writeVersionMark(stateDir, "1.1.0");
    expect(await patient.find("versions")).toMatchObject({
      state: "warning",
      message: expect.stringContaining("1.1.0 also used"),
    });
    const longAgo = new Date(Date.now() - 30 * 86_400_000);
    utimesSync(join(stateDir, "used-by-1.1.0"), longAgo, longAgo);
    expect(await patient.find("versions")).toMatchObject({ state: "ok" });
  });

  test("written in the future: the clock was set back", async () => {
    const file = await patient.makeStore();
    const future = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000);
    utimesSync(file, future, future);
    expect(await patient.find("clock")).toMatchObject({
      state: "warning",
      message: expect.stringContaining(future.toISOString()),
    });
  });
});

describe("PostgreSQL", () => {
  test("that cannot be reached, without its password", async () => {
    const databaseUrl = "postgres://ann:s3cretword@127.0.0.1:1/forge";
    const finding = await patient.find("database", { databaseUrl });
    expect(finding).toMatchObject({ state: "problem", message: expect.stringContaining("cannot be reached") });
    expect(JSON.stringify(finding)).not.toContain("s3cretword");
    expect(await patient.find("store", { databaseUrl })).toBeUndefined();
  });
});

describeWithPostgres("the database", (engine) => {
  const freshUrl = async () => {
    const place = await engine.fresh();
    return "url" in place ? place.url : "";
  };

  test("that answers, and a clock that is not its own", async () => {
    const databaseUrl = await freshUrl();
    expect(await patient.find("database", { databaseUrl, knownSchema: 99 })).toMatchObject({ state: "ok" });
    const now = () => Date.now() + 3_600_000;
    expect(await patient.find("database", { databaseUrl, knownSchema: 99, now })).toMatchObject({
      state: "warning",
      message: expect.stringContaining("differ by 3600 s"),
    });
  });

  test("that another version is connected to", async () => {
    const databaseUrl = await freshUrl();
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: databaseUrl, application_name: "forge/0.0.9" });
    await client.connect();
    onTestFinished(() => client.end());
    const finding = await patient.find("versions", { databaseUrl });
    expect(finding).toMatchObject({ state: "warning", message: expect.stringContaining("0.0.9") });
  });
});
