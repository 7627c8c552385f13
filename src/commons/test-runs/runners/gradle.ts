import { join, posix } from "node:path";
import * as z from "zod";
import { writePrivateFile } from "../../../platform/files/write/private-file.ts";
import type { TestProject } from "../project/test-project.ts";
import { LineCounter } from "../reports/line-counter.ts";
import { json, readReport, shownFile } from "../reports/report-files.ts";
import type { Runner } from "../runner.ts";
import { gradleScript } from "./gradle-script.ts";
import {
  classOf,
  isJavaTest,
  moduleFolders,
  type Results,
  readJavaReports,
  relatedJavaTests,
  saysJavaTest,
  testSetOf,
} from "./java.ts";

const placeLine = z.object({ module: z.string(), results: z.string() });
const placesIn = (reports: string) => join(reports, "places.jsonl");

const isBuildFile = (name: string) => name === "build.gradle" || name === "build.gradle.kts";

export const gradle: Runner = {
  name: "gradle",
  isTest: isJavaTest,
  saysTest: saysJavaTest,
  related: relatedJavaTests,
  async find(project) {
    const marks = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];
    if (!marks.some((path) => project.isFile(path))) return undefined;
    const wrapper = project.isFile("gradlew") && process.platform !== "win32";
    const program = [wrapper ? "./gradlew" : "gradle"];
    const files = wrapper ? [{ id: "script:gradlew", file: "gradlew" }] : [];
    return { words: [...program, "test"], program, extra: [], env: {}, files, notes: [] };
  },
  async words({ project, found, choice, reports, coverage }) {
    const script = join(reports, "forge.gradle");
    await writePrivateFile(script, gradleScript(testedModules(await project.files()).length, placesIn(reports)));
    const words = [
      ...found.program,
      "--console=plain",
      "--no-daemon",
      "--continue",
      "--init-script",
      script,
      ...(choice.kind === "all" ? ["test"] : tasks(project, choice.files)),
    ];
    return { words, notes: coverage ? ["No coverage: Gradle measures none by itself."] : [] };
  },
  read({ project, reports }) {
    // Tasks end with the same words as tests do, and begin with ":" or, in newer versions, with "> Task".
    const counter = new LineCounter({
      done: /^[^:>].* (?:PASSED|FAILED|SKIPPED)$/,
      failed: /^[^:>].* FAILED$/,
    });
    return {
      line: (line) => counter.line(line),
      progress: () => counter.progress(),
      finish: ({ startedAt }) =>
        readJavaReports(project, {
          folders: (files) => [...told(project, placesIn(reports)), ...usual(project, files)],
          since: startedAt,
        }),
    };
  },
};

/** A set of tests has the task of its name; each task takes its own classes, and those that are nested in them. */
function tasks(project: TestProject, files: readonly string[]): string[] {
  const bySet = new Map<string, Set<string>>();
  for (const file of files) {
    const set = testSetOf(file)?.set ?? "test";
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
  const [, named] = /^[ \t]*package[ \t]+([^\s;]+)/m.exec(project.text(file) ?? "") ?? [];
  return named === undefined ? classOf(file) : `${named.replaceAll("`", "")}.${classOf(file)}`;
}

/** Where the tasks that ran tests said they put their results, inside the project or not. */
function told(project: TestProject, places: string): Results[] {
  return (readReport(places) ?? "").split("\n").flatMap((line) => {
    const read = placeLine.safeParse(json(line));
    if (!read.success) return [];
    const module = read.data.module === project.root ? "." : shownFile(project.root, read.data.module);
    return [{ folder: read.data.results, module }];
  });
}

/**
 * Where results usually are, for tasks that Gradle did not run but took from its cache. A module may have its tests and no
 * build file of its own, where the root's speaks for all, or one of another name.
 */
function usual(project: TestProject, files: readonly string[]): Results[] {
  const modules = new Set([...moduleFolders(files, isBuildFile), ...testedModules(files)]);
  return [...modules].flatMap((module) => {
    const folder = posix.join(module, "build/test-results");
    return project.names(folder).map((task) => ({ folder: join(project.root, folder, task), module }));
  });
}

function testedModules(files: readonly string[]): string[] {
  return [...new Set(files.flatMap((file) => testSetOf(file)?.module ?? []))];
}
