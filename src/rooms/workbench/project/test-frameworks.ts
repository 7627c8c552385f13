import type { Ecosystem } from "../../../commons/code-index/languages.ts";
import type { FileCensus } from "./file-census.ts";

type TestFacts = { folder: string; ecosystem: Ecosystem; dependencies: string[]; devDependencies: string[] };

/** In the order they are looked for. One that ends in a star stands for all that begin so. */
const byDependency: Partial<Record<Ecosystem, [dependency: string, framework: string][]>> = {
  javascript: [
    ["vitest", "vitest"],
    ["jest", "jest"],
    ["mocha", "mocha"],
    ["ava", "ava"],
    ["jasmine", "jasmine"],
    ["tap", "tap"],
    ["@playwright/test", "playwright"],
    ["cypress", "cypress"],
  ],
  python: [["pytest*", "pytest"]],
  java: [
    ["junit*", "junit"],
    ["spring-boot-starter-test", "junit"],
    ["testng", "testng"],
    ["kotest*", "kotest"],
    ["spock*", "spock"],
    ["kotlin-test*", "kotlin-test"],
  ],
};

/** What a package is tested with: what its dependencies tell outdoes what any of its kind could use. */
export function findTestFramework(tested: TestFacts, said: string | undefined, census: FileCensus): string | undefined {
  if (tested.ecosystem === "javascript") return said ?? listDependencies(tested);
  const found = listDependencies(tested) ?? said;
  if (found !== undefined || tested.ecosystem !== "python") return found;
  const inFolder = (name: string) => census.has(tested.folder === "" ? name : `${tested.folder}/${name}`);
  const isPytest = ["pytest.ini", "conftest.py", "tests/conftest.py"].some(inFolder);
  return isPytest || census.hasPythonTests(tested.folder) ? "pytest" : undefined;
}

function listDependencies({ ecosystem, dependencies, devDependencies }: TestFacts): string | undefined {
  const names = [...devDependencies, ...dependencies];
  return byDependency[ecosystem]?.find(([dependency]) =>
    names.some((name) => matchesDependency(name, dependency)),
  )?.[1];
}

export function matchesDependency(name: string, pattern: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
