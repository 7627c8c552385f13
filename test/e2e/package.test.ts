import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder: string;
let files: string[];
let tarball: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "forge-package-"));
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], { stdio: "ignore" });
  const [packed = ""] = readdirSync(folder);
  tarball = join(folder, packed);
  execFileSync("tar", ["-xzf", tarball, "-C", folder]);
  files = readdirSync(join(folder, "package"), { recursive: true, encoding: "utf8" });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the package holds what runs, its licences, and nothing else", () => {
  const stray = files.filter(
    (file) =>
      !/^(bin|dist|bin\/[\w-]+\.cjs|dist\/[\w-]+\.cjs|dist\/registry\.(?:mjs|d\.mts)|dist\/package\.json|dist\/(?:encoder\.bin|vocabulary\.txt|encoder-NOTICE\.txt)|dist\/THIRD-PARTY-NOTICES\.txt|package\.json|README\.md|LICENSE)$/.test(
        file,
      ),
  );
  expect(stray).toEqual([]);
});

test("every binary it names is there and starts with only the one dependency installed", async () => {
  const { bin, dependencies } = JSON.parse(readFileSync(join(folder, "package", "package.json"), "utf8"));
  expect(Object.keys(bin).sort()).toEqual([
    "bmad-mcp-server",
    "forge",
    "forge-mcp",
    "fractary-forge",
    "fractary-forge-mcp",
  ]);
  expect(Object.keys(dependencies)).toEqual(["@photostructure/sqlite"]);
  for (const file of Object.values<string>(bin)) {
    const { stdout } = await promisify(execFile)(process.execPath, [resolve(folder, "package", file), "--version"], {
      env: { HOME: folder },
    });
    expect(stdout).toMatch(/^forge \d+\.\d+\.\d+\n$/);
  }
});

test("forge-mcp/registry is published as package managers and TypeScript expect it", async () => {
  const { messages } = await publint({ pkgDir: join(folder, "package"), level: "warning", pack: false });
  expect(messages).toEqual([]);
  const checked = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  if (!checked.types) return expect.unreachable("it has no types");
  // An ES module: nothing older can load it.
  const isOlder = (kind: string) => kind === "node10" || kind === "node16-cjs";
  const problems = checked.problems.filter(
    (problem) => !("resolutionKind" in problem && isOlder(problem.resolutionKind)),
  );
  expect(problems).toEqual([]);
});
