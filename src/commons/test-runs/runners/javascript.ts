import type { TestProject } from "../project/test-project.ts";
import { type JavaScriptRunner, parseTestScript, type TestScript } from "../project/test-script.ts";
import { describeSingleRun } from "../project/watch-mode.ts";
import type { FoundRunner } from "../runner.ts";

type PackageRunnerOptions = {
  /** Files that show that it is used. */
  hints: readonly string[];
  /** Of the script's words, those that it can use. */
  extra(args: readonly string[]): string[];
  /** How it is kept from watching for changes, where the script would have it watch. */
  once(args: readonly string[]): string | undefined;
};

/** How a runner that is a package of the project is started. */
export function findPackageRunner(
  project: TestProject,
  name: Exclude<JavaScriptRunner, "node:test">,
  { hints, extra, once }: PackageRunnerOptions,
): FoundRunner | undefined {
  const script = readScriptFor(project, name);
  const isUsed = script || project.dependsOn(name) || hints.some((path) => project.has(path));
  if (!isUsed || (!script && readTestScript(project))) return undefined;
  const bin = project.findBin(name);
  const args = extra(script?.args ?? []);
  const how = once(script?.args ?? []);
  return {
    words: [name, ...args],
    program: [process.execPath, ...(script?.nodeOptions ?? []), bin ?? name],
    extra: args,
    env: script?.env ?? {},
    ...(bin === undefined && { missing: `${name} is not installed in the project's node_modules` }),
    files: [],
    notes: [...(script?.notes ?? []), ...(how === undefined ? [] : [describeSingleRun(how)])],
  };
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
