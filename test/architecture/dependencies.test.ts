import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import semver from "semver";
import { expect, test } from "vitest";
import { reachesOf } from "./syntax.ts";

type Locked = {
  version: string;
  resolved?: string;
  integrity?: string;
  optional?: true;
  os?: string[];
  cpu?: string[];
};
type Manifest = Record<"dependencies" | "devDependencies" | "optionalDependencies", Record<string, string>>;

const readJson = <T>(file: string) => JSON.parse(readFileSync(file, "utf8")) as T;
const manifest = readJson<Manifest>("package.json");

/** What is installed together with Forge. */
const maxInstalled = 2;

/** Versions before these have known weaknesses. */
const leastVersions = {
  "@modelcontextprotocol/server": "2.4.0",
  tar: "7.5.22",
  yaml: "2.9.1",
  zod: "4.0.0",
};

/** Every file that a file of ours loads, at once or later. */
function filesReachedFrom(entry: string): Map<string, string[]> {
  const reached = new Map<string, string[]>();
  const visit = (file: string) => {
    if (reached.has(file) || !existsSync(file)) return;
    const imports = reachesOf(readFileSync(file, "utf8")).imports.filter((name) => name !== undefined);
    reached.set(file, imports);
    for (const name of imports) if (name.startsWith(".")) visit(join(dirname(file), name));
  };
  visit(entry);
  return reached;
}

test("I24 no file that the registry's library loads can start a program: archives are unpacked by a library, in memory", () => {
  const reached = filesReachedFrom("src/rooms/registry/client/index.ts");
  expect([...reached.keys()]).toContain("src/rooms/registry/client/packages/archive.ts");
  expect([...reached.values()].flat()).toContain("tar");
  const starting = [...reached].filter(([, imports]) =>
    imports.some((name) => /child_process|platform\/exec/.test(name)),
  );
  expect(starting).toEqual([]);
});

test("I25 every locked package is from a registry and has a sha512 hash; those of other systems are optional", () => {
  for (const lockfile of ["package-lock.json", "test/clients/package-lock.json", "test/bmad/package-lock.json"]) {
    const { packages } = readJson<{ packages: Record<string, Locked> }>(lockfile);
    const weak = Object.entries(packages).filter(([place, { integrity, optional, os = [], cpu = [], resolved }]) => {
      if (!place.startsWith("node_modules/")) return false;
      if (resolved !== undefined && !resolved.startsWith("https://")) return true;
      const isForOtherSystem = integrity === undefined && optional === true && os.length + cpu.length > 0;
      return !isForOtherSystem && !integrity?.startsWith("sha512-");
    });
    expect(weak, lockfile).toEqual([]);
  }
});

test("I25 few packages come with Forge, in fixed versions, none below the least safe one; CI runs no script of a package", () => {
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  const installed = { ...dependencies, ...optionalDependencies };
  expect(Object.keys(installed).length).toBeLessThanOrEqual(maxInstalled);
  expect(Object.entries(installed).filter(([, version]) => semver.valid(version) === null)).toEqual([]);
  const { packages } = readJson<{ packages: Record<string, Locked> }>("package-lock.json");
  const old = Object.entries(leastVersions).filter(
    ([name, least]) => !semver.gte(packages[`node_modules/${name}`]?.version ?? "0.0.0", least),
  );
  expect(old).toEqual([]);
  expect(Object.keys(devDependencies)).not.toContain("simple-git");
  const installs = readFileSync(".ci/run", "utf8").match(/^.*\bnpm ci\b.*$/gm) ?? [];
  expect(installs.length).toBeGreaterThan(0);
  expect(installs.filter((line) => !line.includes("--ignore-scripts"))).toEqual([]);
});
