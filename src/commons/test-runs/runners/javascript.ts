import { posix } from "node:path";
import type { Runnable } from "../../trust/runnable.ts";
import type { TestProject } from "../project/test-project.ts";
import { type JavaScriptRunner, parseTestScript, type TestScript } from "../project/test-script.ts";
import { describeSingleRun } from "../project/watch-mode.ts";
import type { FoundRunner } from "../runner.ts";
import { listNamedFiles, listNamedFolders, listRunnerFiles } from "../runner-files.ts";

type PackageRunnerOptions = {
  /** Files that show that it is used. */
  hints: readonly string[];
  /** Names of its configuration files. */
  settings: RegExp;
  isTest(path: string): boolean;
  /** Of the script's words, those that it can use. */
  extra(args: readonly string[]): string[];
  /** How it is kept from watching for changes, where the script would have it watch. */
  once(args: readonly string[]): string | undefined;
};

/** How a runner that is a package of the project is started. */
export async function findPackageRunner(
  project: TestProject,
  name: Exclude<JavaScriptRunner, "node:test">,
  { hints, settings, isTest, extra, once }: PackageRunnerOptions,
): Promise<FoundRunner | undefined> {
  const script = readScriptFor(project, name);
  const isUsed = script || project.dependsOn(name) || hints.some((path) => project.has(path));
  if (!isUsed || (!script && readTestScript(project))) return undefined;
  const bin = project.findBin(name);
  const args = extra(script?.args ?? []);
  const how = once(script?.args ?? []);
  const files = await listScriptFiles(project, script, { settings, isTest });
  return {
    words: [name, ...args],
    program: [process.execPath, ...(script?.nodeOptions ?? []), bin ?? name],
    extra: args,
    env: script?.env ?? {},
    ...(bin === undefined && { missing: `${name} is not installed in the project's node_modules` }),
    files: [...files, ...(await listManifestSettings(project, name, files))],
    notes: [...(script?.notes ?? []), ...(how === undefined ? [] : [describeSingleRun(how)])],
  };
}

/** A runner's key in package.json, and in those of the packages if it is configured for several. */
async function listManifestSettings(
  project: TestProject,
  name: string,
  configuration: readonly Runnable[],
): Promise<Runnable[]> {
  const own = JSON.stringify(project.readManifestKey("package.json", name) ?? "");
  const isOfSeveral = several.test(own) || configuration.some((one) => namesSeveral(project, one));
  const folders = isOfSeveral ? await listPackageFolders(project, /^package\.json$/) : [""];
  return [...new Set(folders)].flatMap((folder) => {
    const file = posix.join(folder, "package.json");
    const value = project.readManifestKey(file, name);
    return value === undefined ? [] : [{ id: `config:${file} [${name}]`, command: [JSON.stringify(value)] }];
  });
}

/** A runner's configuration, and the files that the test script names. */
export async function listScriptFiles(
  project: TestProject,
  script: TestScript | undefined,
  { settings, isTest }: Pick<PackageRunnerOptions, "settings" | "isTest">,
): Promise<Runnable[]> {
  const variables = Object.values(script?.env ?? {}).flatMap((value) => value.split(/\s+/));
  const words = [...(script?.nodeOptions ?? []), ...(script?.args ?? []), ...variables];
  const folders = ["", ...listNamedFolders(project, words)];
  const first = listRunnerFiles(project, settings, folders);
  const isOfSeveral = first.some((one) => namesSeveral(project, one));
  const packages = isOfSeveral ? await listPackageFolders(project, settings) : [];
  const configuration = isOfSeveral ? listRunnerFiles(project, settings, [...folders, ...packages]) : first;
  return [...configuration, ...listNamedFiles(project, words, { isTest, configuration })];
}

/** In the configuration of a runner that also uses that of other folders. */
const several = /\b(?:projects|workspace)\b/;

function namesSeveral(project: TestProject, { file = "" }: Runnable): boolean {
  return several.test(`${file}\n${project.readText(file) ?? ""}`);
}

async function listPackageFolders(project: TestProject, settings: RegExp): Promise<string[]> {
  const files = (await project.listFiles()).map((path) => posix.parse(path));
  return files.filter(({ base }) => base === "package.json" || settings.test(base)).map(({ dir }) => dir);
}

/** Options of Node itself go between it and the script that it runs. */
export function addNodeOptions([node = "", ...rest]: readonly string[], options: readonly string[]): string[] {
  return [node, ...options, ...rest];
}

export function readTestScript(project: TestProject): TestScript | undefined {
  const script = project.readManifest().scripts?.["test"];
  return typeof script === "string" ? parseTestScript(script) : undefined;
}

export function readScriptFor(project: TestProject, runner: JavaScriptRunner): TestScript | undefined {
  const script = readTestScript(project);
  return script?.runner === runner ? script : undefined;
}

/** By its name, or by the folder that Jest made usual. */
export function isJavaScriptTest(path: string): boolean {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  if (!/\.[cm]?[jt]sx?$/.test(name)) return false;
  return folders.includes("__tests__") || /(?:^|[._-])(?:test|tests|spec|specs)\.[a-z]+$/.test(name);
}
