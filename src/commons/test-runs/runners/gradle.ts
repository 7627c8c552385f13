import { join, posix } from "node:path";
import * as z from "zod";
import { tryParseJson } from "../../../kernel/json.ts";
import { writePrivateFile } from "../../../platform/files/write/private-file.ts";
import type { OriginEvidence } from "../origin/judge-origin.ts";
import type { TestProject } from "../project/test-project.ts";
import { LineCounter } from "../reports/line-counter.ts";
import { readReport, toProjectPath } from "../reports/report-files.ts";
import type { Runner } from "../runner.ts";
import { listPresentFiles, listRunnerFiles } from "../runner-files.ts";
import { createGradleScript } from "./gradle-script.ts";
import {
  className,
  findRelatedJavaTests,
  findTestSet,
  isJavaTest,
  listModuleFolders,
  type Results,
  readJavaReports,
  saysJavaTest,
} from "./java.ts";

const placeLine = z.object({ module: z.string(), results: z.string(), classPath: z.array(z.string()) });
const findPlaces = (reports: string) => join(reports, "places.jsonl");

const isBuildFile = (name: string) => name === "build.gradle" || name === "build.gradle.kts";

const settings = /\.gradle(?:\.kts)?$|^gradle\.properties$/;
const wrapperFiles = ["gradle/wrapper/gradle-wrapper.properties", "gradle/wrapper/gradle-wrapper.jar"];

export const gradle: Runner = {
  name: "gradle",
  isTest: isJavaTest,
  saysTest: saysJavaTest,
  related: findRelatedJavaTests,
  async find(project) {
    const marks = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];
    if (!marks.some((path) => project.isFile(path))) return undefined;
    const wrapper = project.isFile("gradlew") && process.platform !== "win32";
    const program = [wrapper ? "./gradlew" : "gradle"];
    const modules = (await project.listFiles()).filter((path) => settings.test(posix.basename(path)));
    const files = [
      ...(wrapper ? [{ id: "script:gradlew", file: "gradlew" }] : []),
      ...listRunnerFiles(project, settings, ["", ...modules.map((path) => posix.parse(path).dir)]),
      ...listPresentFiles(project, wrapperFiles),
    ];
    return { words: [...program, "test"], program, extra: [], env: {}, files, notes: [] };
  },
  async words({ project, found, choice, reports, coverage }) {
    const script = join(reports, "forge.gradle");
    await writePrivateFile(
      script,
      createGradleScript(listTestedModules(await project.listFiles()).length, findPlaces(reports)),
    );
    const words = [
      ...found.program,
      "--console=plain",
      "--no-daemon",
      "--continue",
      "--init-script",
      script,
      ...(choice.kind === "all" ? ["test"] : tasks(project, choice.files)),
    ];
    return { words, notes: coverage ? ["No coverage: Gradle does not measure it by itself."] : [] };
  },
  read({ project, reports }) {
    // Tasks end with the same words as tests do, and begin with ":" or, in newer versions, with "> Task".
    const counter = new LineCounter({
      done: /^[^:>].* (?:PASSED|FAILED|SKIPPED)$/,
      failed: /^[^:>].* FAILED$/,
    });
    return {
      line: (line) => counter.addLine(line),
      progress: () => counter.getProgress(),
      origin: async () => findOrigin(findPlaces(reports)),
      finish: ({ startedAt }) =>
        readJavaReports(project, {
          folders: (files) => [...describeTasks(project, findPlaces(reports)), ...isDefaultTask(project, files)],
          since: startedAt,
        }),
    };
  },
};

/** A set of tests has the task of its name; each task takes its own classes, and those that are nested in them. */
function tasks(project: TestProject, files: readonly string[]): string[] {
  const bySet = new Map<string, Set<string>>();
  for (const file of files) {
    const set = findTestSet(file)?.set ?? "test";
    const classes = bySet.get(set) ?? new Set();
    bySet.set(set, classes.add(fullName(project, file)));
  }
  return [...bySet].flatMap(([set, classes]) => [
    set,
    ...[...classes].flatMap((name) => ["--tests", name, "--tests", `${name}$*`]),
  ]);
}

/** With its package, which older versions insist on. In Kotlin the folders need not tell it. */
function fullName(project: TestProject, file: string): string {
  const [, named] = /^[ \t]*package[ \t]+([^\s;]+)/m.exec(project.readText(file) ?? "") ?? [];
  return named === undefined ? className(file) : `${named.replaceAll("`", "")}.${className(file)}`;
}

/** What the tasks that ran tests said about themselves. */
function readTasks(places: string): z.output<typeof placeLine>[] {
  return (readReport(places) ?? "").split("\n").flatMap((line) => placeLine.safeParse(tryParseJson(line)).data ?? []);
}

/** Where they put their results, inside the project or not. */
function describeTasks(project: TestProject, places: string): Results[] {
  return readTasks(places).map(({ module: folder, results }) => ({
    folder: results,
    module: folder === project.root ? "." : toProjectPath(project.root, folder),
  }));
}

/** Results that Gradle took from its cache were not run here, so they say nothing. */
function findOrigin(places: string): OriginEvidence {
  const loaded = readTasks(places).flatMap(({ classPath }) => classPath);
  return loaded.length === 0 ? { unknown: "no task that Gradle ran reported its class path" } : { loaded };
}

/**
 * Where results usually are, for tasks that Gradle did not run but took from its cache. A module may have its tests and no
 * build file of its own, where the root's speaks for all, or one of another name.
 */
function isDefaultTask(project: TestProject, files: readonly string[]): Results[] {
  const modules = new Set([...listModuleFolders(files, isBuildFile), ...listTestedModules(files)]);
  return [...modules].flatMap((module) => {
    const folder = posix.join(module, "build/test-results");
    return project.listNames(folder).map((task) => ({ folder: join(project.root, folder, task), module }));
  });
}

function listTestedModules(files: readonly string[]): string[] {
  return [...new Set(files.flatMap((file) => findTestSet(file)?.module ?? []))];
}
