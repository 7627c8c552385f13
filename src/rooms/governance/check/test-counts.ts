import { join } from "node:path";
import { readJunit } from "../../../commons/test-runs/reports/junit.ts";
import type { TestRun } from "../../../commons/test-runs/test-run.ts";
import { isRecord } from "../../../kernel/json.ts";
import { notAReport } from "./errors.ts";
import type { ProjectTree } from "./project-tree.ts";

export const sides = ["backend", "frontend"] as const;
export type Side = (typeof sides)[number];

/** How many tests one side of a project has, how many fail, and how that is known. */
export type TestCounts = { total: number; failed: number; source: string };

/** Where the tests of each side are run; one without a folder has no tests. */
export type SideFolders = Record<Side, string | undefined>;

const maxBytes = 1_048_576;
const frontendPackages = ["react", "vue", "svelte", "@angular/core", "preact", "solid-js", "next", "nuxt"];
const backendPackages = ["express", "fastify", "koa", "hono", "@nestjs/core", "@hapi/hapi", "next", "nuxt"];

/** From `forge.json` where there is one; otherwise by what the package at the project's root depends on. */
export function findSides(tree: ProjectTree): SideFolders {
  const { frontend } = parse(tree.text("forge.json", maxBytes));
  if (isRecord(frontend) && frontend["enabled"] === true) {
    const folder = typeof frontend["dir"] === "string" ? frontend["dir"] : "frontend";
    return { backend: tree.root, frontend: join(tree.root, folder) };
  }
  if (frontend !== undefined) return { backend: tree.root, frontend: undefined };
  const { dependencies, devDependencies } = parse(tree.text("package.json", maxBytes));
  const names = [dependencies, devDependencies].flatMap((list) => (isRecord(list) ? Object.keys(list) : []));
  const isFrontend =
    frontendPackages.some((name) => names.includes(name)) && !backendPackages.some((name) => names.includes(name));
  return isFrontend ? { backend: undefined, frontend: tree.root } : { backend: tree.root, frontend: undefined };
}

function parse(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** A run counts only if it ran all tests. */
export function countsOf({ total, failed, status, exitCode, id }: TestRun): TestCounts {
  // A runner that fails without a failing test, such as one that cannot compile, has failed all the same.
  return {
    total,
    failed: status === "failed" && failed === 0 ? Math.max(1, exitCode) : failed,
    source: `test run ${id}`,
  };
}

export type TestReport = { side: Side; file: string; text: string };

/** A report as a command hands it over: its side and file in the first line. */
export function readReport(given: string): TestReport {
  const [, side, file = "", text = ""] = /^(backend|frontend) ([^\n]*)\n([\s\S]*)$/.exec(given) ?? [];
  if (side !== "backend" && side !== "frontend") throw notAReport(given.slice(0, 60));
  return { side, file, text };
}

/** The counts in the reports of a test run that something else has made, such as CI. */
export function countsInReports(reports: readonly TestReport[]): Partial<Record<Side, TestCounts>> {
  const counts: Partial<Record<Side, TestCounts>> = {};
  for (const { side, file, text } of reports) {
    const cases = readJunit(text);
    if (!cases) throw notAReport(file);
    const known = counts[side] ?? { total: 0, failed: 0, source: "report" };
    const failed = cases.filter(({ outcome }) => outcome === "failed").length;
    counts[side] = { ...known, total: known.total + cases.length, failed: known.failed + failed };
  }
  return counts;
}
