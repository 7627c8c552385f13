import { join, relative } from "node:path";
import { readJunit } from "../../../../commons/test-runs/reports/junit.ts";
import type { TestRun } from "../../../../commons/test-runs/test-run.ts";
import { isRecord, tryParseRecord } from "../../../../kernel/json.ts";
import { invalidPolicy, notAReport } from "../errors.ts";

export const sides = ["backend", "frontend"] as const;
export type Side = (typeof sides)[number];

/** How many tests one side of a project has, how many fail, and how that is known; or why it could not be found out. */
export type TestCounts = { total: number; failed: number; source: string } | { fault: string; source: string };

/** Where the tests of each side are run; one without a folder has no tests. */
export type SideFolders = Record<Side, string | undefined>;

const maxBytes = 1_048_576;
const sideFile = "forge.json";
const frontendPackages = ["react", "vue", "svelte", "@angular/core", "preact", "solid-js", "next", "nuxt"];
const backendPackages = ["express", "fastify", "koa", "hono", "@nestjs/core", "@hapi/hapi", "next", "nuxt"];

/** The texts that say where tests are. */
type SideTexts = { project: string | undefined; package: string | undefined };

/** Of the files as they are, or at a commit. */
export async function readSideTexts(
  read: (path: string, maxBytes: number) => Promise<string | undefined> | string | undefined,
): Promise<SideTexts> {
  return { project: await read(sideFile, maxBytes), package: await read("package.json", maxBytes) };
}

/** From `forge.json` where there is one; otherwise by what the package at the project's root depends on. */
export function findSides(root: string, texts: SideTexts): SideFolders {
  const { frontend } = tryParseRecord(texts.project ?? "") ?? {};
  if (isRecord(frontend) && frontend["enabled"] === true) {
    const folder = join(root, typeof frontend["dir"] === "string" ? frontend["dir"] : "frontend");
    if (relative(root, folder).startsWith("..")) throw invalidPolicy(sideFile, "frontend.dir is outside the project");
    return { backend: root, frontend: folder };
  }
  if (frontend !== undefined) return { backend: root, frontend: undefined };
  const { dependencies, devDependencies } = tryParseRecord(texts.package ?? "") ?? {};
  const names = [dependencies, devDependencies].flatMap((list) => (isRecord(list) ? Object.keys(list) : []));
  const isFrontend =
    frontendPackages.some((name) => names.includes(name)) && !backendPackages.some((name) => names.includes(name));
  return isFrontend ? { backend: undefined, frontend: root } : { backend: root, frontend: undefined };
}

/** A run counts only if it ran all tests. One that ended before any test ran, such as one that cannot compile, has no counts. */
export function countsOf({ total, failed, status, exitCode, id, uncounted }: TestRun): TestCounts {
  const source = `test run ${id}`;
  if (uncounted) return { fault: `the tests ended with exit code ${exitCode} before any of them ran`, source };
  if (status === "failed" && failed === 0)
    return { fault: `the tests ended with exit code ${exitCode}, although no test failed`, source };
  return { total, failed, source };
}

export type TestReport = { side: Side; file: string; text: string };

/** A report as a command hands it over: its side and file in the first line. */
export function readReport(given: string): TestReport {
  const [, side, file = "", text = ""] = /^(backend|frontend) ([^\n]*)\n([\s\S]*)$/.exec(given) ?? [];
  if (side !== "backend" && side !== "frontend") throw notAReport(given.slice(0, 60));
  return { side, file, text };
}

/**
 * The counts in the reports of a test run that something else has made, such as CI. Reports without a test say nothing: the run
 * may have ended before any.
 */
export function countsInReports(reports: readonly TestReport[]): Partial<Record<Side, TestCounts>> {
  const counts: Partial<Record<Side, { total: number; failed: number; source: string }>> = {};
  for (const { side, file, text } of reports) {
    const cases = readJunit(text);
    if (!cases) throw notAReport(file);
    const { total, failed } = counts[side] ?? { total: 0, failed: 0 };
    const failing = cases.filter(({ outcome }) => outcome === "failed").length;
    counts[side] = { total: total + cases.length, failed: failed + failing, source: "report" };
  }
  const known = Object.entries(counts).map(([side, { total, failed, source }]): [string, TestCounts] => [
    side,
    total === 0 ? { fault: "the report names no test", source } : { total, failed, source },
  ]);
  return Object.fromEntries(known);
}
