import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadMigrations } from "../../src/app/migrations.ts";
import { loadSqlite } from "../../src/platform/db/sqlite/library.ts";
import { hashSchema } from "../../src/platform/db/sqlite/schema.ts";

const run = promisify(execFile);
let home: string;
let folder: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "forge-launcher-"));
  folder = join(home, ".cache", "forge-mcp");
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

async function version(env: Record<string, string> = {}, program = resolve("bin/forge.cjs")): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [program, "version"], {
    cwd: home,
    env: { HOME: home, ...env },
  });
  expect(stderr).toBe("");
  return stdout;
}

const caches = () => readdirSync(folder).filter((name) => name.endsWith(".v8"));

test("the first start leaves whole caches for its user alone, the next one uses them as they are", async () => {
  await version();
  expect(caches().some((name) => name.includes("-main."))).toBe(true);
  expect(statSync(folder).mode & 0o077).toBe(0);
  const before = caches().map((name) => readFileSync(join(folder, name)));
  const written = caches().map((name) => statSync(join(folder, name)).mtimeMs);
  await version();
  expect(caches().map((name) => readFileSync(join(folder, name)))).toEqual(before);
  expect(caches().map((name) => statSync(join(folder, name)).mtimeMs)).toEqual(written);
});

test("the program is written in ASCII, which is what the launcher reads", () => {
  const chunks = readdirSync("dist").filter((name) => name.endsWith(".cjs"));
  expect(chunks.length).toBeGreaterThan(10);
  const others = chunks.filter((name) => readFileSync(join("dist", name)).some((byte) => byte > 0x7f));
  expect(others).toEqual([]);
});

test("the program knows the hash of the schema that its steps make", async () => {
  const hash = await hashSchema(await loadSqlite(), await loadMigrations());
  const chunks = readdirSync("dist").filter((name) => name.endsWith(".cjs"));
  expect(chunks.filter((name) => readFileSync(join("dist", name), "latin1").includes(hash))).not.toEqual([]);
});

test("eight first starts at once all work and leave nothing but whole caches", async () => {
  const printed = await Promise.all(Array.from({ length: 8 }, () => version()));
  expect(new Set(printed).size).toBe(1);
  expect(readdirSync(folder)).toEqual(caches());
  expect(await version()).toBe(printed[0]);
});

test("a damaged cache is not run, and is mended", async () => {
  const printed = await version();
  const [name = ""] = caches().filter((file) => file.includes("-main."));
  const file = join(folder, name);
  const good = readFileSync(file);
  // Node crashes on many of these where the cache is taken as it is.
  for (let step = 1; step <= 12; step++) {
    const bad = Buffer.from(good);
    const place = Math.floor((good.length * step) / 13);
    bad[place] = (bad[place] ?? 0) ^ 0x10;
    writeFileSync(file, step === 12 ? bad.subarray(0, place) : bad);
    expect(await version()).toBe(printed);
  }
  expect(await version()).toBe(printed);
  expect(readFileSync(file).length).toBeGreaterThan(1000);
});

test("without a place for caches it simply starts: read-only, somebody else's, switched off, no home", async () => {
  const printed = await version({ FORGE_CODE_CACHE: "off" });
  expect(existsSync(folder)).toBe(false);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o777);
  expect(await version()).toBe(printed);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "a file where the folder should be");
  expect(await version()).toBe(printed);
  expect(await version({ XDG_CACHE_HOME: "/proc/nowhere" })).toBe(printed);
  const { stdout } = await run(process.execPath, [resolve("bin/forge.cjs"), "version"], { env: {} });
  expect(stdout).toBe(printed);
});

test("a project's files are never the cache: relative places, and links in the cache's place", async () => {
  mkdirSync(join(home, ".cache", "forge-mcp"), { recursive: true, mode: 0o700 });
  const printed = await version({ FORGE_CODE_CACHE: "off" });
  expect(await version({ XDG_CACHE_HOME: ".cache" })).toBe(printed);
  expect(readdirSync(join(home, ".cache", "forge-mcp")).length).toBeGreaterThan(0);
  const { stdout } = await run(process.execPath, [resolve("bin/forge.cjs"), "version"], {
    cwd: folder,
    env: { HOME: "." },
  });
  expect(stdout).toBe(printed);
  expect(readdirSync(folder)).not.toContain(".cache");
  const elsewhere = join(home, "elsewhere");
  mkdirSync(elsewhere, { mode: 0o700 });
  mkdirSync(join(home, "xdg"));
  symlinkSync(elsewhere, join(home, "xdg", "forge-mcp"));
  expect(await version({ XDG_CACHE_HOME: join(home, "xdg") })).toBe(printed);
  expect(readdirSync(elsewhere)).toEqual([]);
});

test("another build's cache is not used", async () => {
  const copy = join(home, "package");
  mkdirSync(copy);
  for (const part of ["bin", "dist"]) cpSync(part, join(copy, part), { recursive: true });
  const launcher = join(copy, "dist", "launcher.cjs");
  writeFileSync(launcher, readFileSync(launcher, "utf8").replace(/buildId = "\w+"/, 'buildId = "another"'));
  await version();
  const first = caches();
  await version({}, join(copy, "bin", "forge.cjs"));
  expect(caches().filter((name) => name.startsWith("another-")).length).toBe(first.length);
});
