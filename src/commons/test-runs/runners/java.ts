import { delimiter, join, posix } from "node:path";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { realPlace } from "../../../platform/files/real-place.ts";
import { listFolder } from "../../../platform/files/root/list-folder.ts";
import { readPinned } from "../../../platform/state/pinned-file.ts";
import type { OriginEvidence } from "../origin/judge-origin.ts";
import type { TestProject } from "../project/test-project.ts";
import { toProjectPath } from "../reports/report-files.ts";
import type { ParsedReport } from "../runner.ts";
import type { TestFailure } from "../test-run.ts";

/** The system stamps files by a clock that lags a little. */
const clockLagMs = 50;

const testSets = new Set(["test", "it", "integrationTest"]);
const sources = /\.(?:java|kt|groovy|scala)$/;
const maxReports = 10_000;
const endings = ["Test", "Tests", "TestCase", "IT", "Spec"];

/** By its folder (`src/test/…`) and the name of its class. */
export function isJavaTest(path: string): boolean {
  if (!findTestSet(path) || !sources.test(path)) return false;
  const name = className(path);
  return endings.some((end) => name.endsWith(end)) || /^Test[A-Z]/.test(name);
}

/** One whose name does not tell, by the tests in it. */
export function saysJavaTest(project: TestProject, path: string): boolean {
  if (!findTestSet(path) || !sources.test(path)) return false;
  return /@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b/.test(project.readText(path) ?? "");
}

/** `app/src/test/java/…` is of the set `test` in the module `app`. */
export function findTestSet(path: string): { module: string; set: string } | undefined {
  const parts = path.split("/");
  const at = parts.findIndex((part, index) => part === "src" && testSets.has(parts[index + 1] ?? ""));
  const set = parts[at + 1];
  return at === -1 || set === undefined ? undefined : { module: posix.join(".", ...parts.slice(0, at)), set };
}

/** Tests that are named after a class, or speak of it. */
export async function findRelatedJavaTests(project: TestProject, sources: readonly string[]): Promise<string[]> {
  const names = new Set(sources.map((path) => className(path)));
  return (await project.listFiles()).filter((path) => {
    if (!isJavaTest(path) && !saysJavaTest(project, path)) return false;
    const bare = className(path).replace(/^Test(?=[A-Z])|(?:Tests?|TestCase|IT|Spec)$/g, "");
    return names.has(bare) || (project.readText(path) ?? "").split(/\W+/).some((word) => names.has(word));
  });
}

export function className(path: string): string {
  return posix.basename(path).replace(/\.\w+$/, "");
}

/** Where a module's reports lie, as an absolute path. */
export type Results = { folder: string; module: string };

/** Reports where the build leaves them (`target/surefire-reports`), of this run only; several modules have several. */
export async function readJavaReports(
  project: TestProject,
  {
    folders,
    since,
    onClassPath,
  }: { folders(files: readonly string[]): Results[]; since: number; onClassPath?(paths: string[]): void },
): Promise<ParsedReport | undefined> {
  const files = await project.listFiles();
  const reports = [...new Map(folders(files).map((results) => [realPlace(results.folder), results.module]))]
    .flatMap(([folder, module]) => listReports(folder).map((path) => ({ folder, module, path })))
    .filter(({ path }) => (entryAt(path)?.mtimeMs ?? 0) >= since - clockLagMs);
  if (reports.length === 0) return undefined;
  const { readJunit } = await import("../reports/junit.ts");
  const parsed: ParsedReport = { passed: 0, failed: 0, skipped: 0, cases: [], failures: [], notes: [] };
  for (const { folder, module, path } of reports) {
    const read = readPinned(path, [project.root, folder]);
    const cases = "why" in read ? undefined : readJunit(read.bytes.toString());
    if (!("why" in read)) onClassPath?.(findClassPath(read.bytes.toString()));
    if (!cases) parsed.notes.push(`${toProjectPath(project.root, path)} could not be read.`);
    for (const { name, className, outcome, message } of cases ?? []) {
      parsed[outcome]++;
      parsed.cases?.push({ name: `${className}.${name}`, outcome });
      if (outcome === "failed") parsed.failures.push(failure({ files, module }, className, name, message));
    }
  }
  return parsed;
}

/** The class path of the process that ran the tests, as Surefire writes it into each report. */
function findClassPath(report: string): string[] {
  const value = /<property name="surefire\.test\.class\.path" value="([^"]*)"/.exec(report)?.[1];
  const own = /<property name="java\.class\.path" value="([^"]*)"/.exec(report)?.[1];
  const path = (value ?? own ?? "").replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? "");
  return path.split(delimiter).filter((place) => place !== "");
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** A module of the project that came from the local repository is whatever was installed there last. */
export async function judgeClassPath(project: TestProject, places: readonly string[]): Promise<OriginEvidence> {
  if (places.length === 0) return { unknown: "the reports name no class path" };
  const poms = (await project.listFiles()).filter((path) => posix.basename(path) === "pom.xml");
  const names = new Set(poms.flatMap((path) => findArtifact(project.readText(path) ?? "") ?? []));
  const copies = places.flatMap((path) => {
    const [, name] = /[/\\]([^/\\]+)[/\\][^/\\]+[/\\]\1-[^/\\]+\.jar$/.exec(path) ?? [];
    return name !== undefined && names.has(name) && !path.startsWith(project.root) ? [{ name, path }] : [];
  });
  return { loaded: places, copies };
}

/** The project's own, not that of its parent or of a dependency. */
function findArtifact(pom: string): string | undefined {
  const others = ["parent", "dependencies", "dependencyManagement", "build", "profiles", "reporting"];
  let own = cutOut(pom, "<!--", "-->");
  for (const name of others) own = cutOut(own, `<${name}>`, `</${name}>`);
  return /<artifactId>\s*([^<\s]+)\s*<\/artifactId>/.exec(own)?.[1];
}

/** The text without what lies between two marks, each time; what is never closed stays. */
function cutOut(text: string, from: string, to: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf(from, at);
    const end = start < 0 ? -1 : text.indexOf(to, start + from.length);
    if (end < 0) return [...kept, text.slice(at)].join("");
    kept.push(text.slice(at, start));
    at = end + to.length;
  }
}

function listReports(folder: string): string[] {
  if (entryAt(folder)?.isDirectory() !== true) return [];
  const names = listFolder(folder, maxReports).entries.map(({ name }) => name);
  return names.filter((name) => /^TEST-.+\.xml$/s.test(name)).map((name) => join(folder, name));
}

type Place = { files: readonly string[]; module: string };

function failure({ files, module }: Place, className: string, name: string, message: string): TestFailure {
  const outer = className.replace(/\$.*$/s, "");
  const path = outer.split(".").join("/");
  const named = files.filter((one) => one.replace(/\.\w+$/, "").endsWith(`/${path}`));
  // Modules may have classes of the same name.
  const file = named.find((one) => findTestSet(one)?.module === module) ?? named[0];
  const source = file === undefined ? "" : posix.basename(file);
  const at = file === undefined ? -1 : message.indexOf(`(${source}:`);
  const line = at === -1 ? Number.NaN : Number.parseInt(message.slice(at + source.length + 2), 10);
  return {
    name: `${className}.${name}`,
    message,
    ...(file !== undefined && { file }),
    ...(Number.isSafeInteger(line) && { line }),
  };
}

/** Folders of the modules there are: where their build files lie. */
export function listModuleFolders(files: readonly string[], isBuildFile: (name: string) => boolean): string[] {
  return files.filter((path) => isBuildFile(posix.basename(path))).map((path) => posix.dirname(path));
}
