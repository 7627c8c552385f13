import { posix } from "node:path";
import { LineCounter } from "../counting.ts";
import type { Runner } from "../runner.ts";
import { classOf, isJavaTest, moduleFolders, readJavaReports, relatedJavaTests } from "./java.ts";

const isBuildFile = (name: string) => name === "build.gradle" || name === "build.gradle.kts";

export const gradle: Runner = {
  name: "gradle",
  isTest: isJavaTest,
  related: relatedJavaTests,
  async find(project) {
    const marks = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];
    if (!marks.some((path) => project.isFile(path))) return undefined;
    const wrapper = project.isFile("gradlew") && process.platform !== "win32";
    const program = [wrapper ? "./gradlew" : "gradle", "test"];
    const files = wrapper ? [{ id: "script:gradlew", file: "gradlew" }] : [];
    return { words: program, program, extra: [], env: {}, files, notes: [] };
  },
  async words({ found, choice, coverage }) {
    const classes = choice.kind === "all" ? [] : choice.files.map(classOf);
    const words = [
      ...found.program,
      "--console=plain",
      "--no-daemon",
      "--continue",
      ...classes.flatMap((name) => ["--tests", name]),
    ];
    return { words, notes: coverage ? ["No coverage: Gradle measures none by itself."] : [] };
  },
  read({ project }) {
    const counter = new LineCounter({
      done: / (?:PASSED|FAILED|SKIPPED)$/,
      failed: / FAILED$/,
    });
    return {
      line: (line) => counter.line(line),
      progress: () => counter.progress(),
      async finish({ startedAt, exitCode }) {
        const folders = (files: readonly string[]) =>
          moduleFolders(files, isBuildFile)
            .map((folder) => posix.join(folder, "build/test-results"))
            .flatMap((folder) => project.names(folder).map((task) => `${folder}/${task}`));
        const fresh = await readJavaReports(project, { folders, since: startedAt });
        if (fresh || exitCode !== 0) return fresh;
        const before = await readJavaReports(project, { folders, since: 0 });
        return before && { ...before, notes: [...before.notes, "Gradle found its results of before still valid."] };
      },
    };
  },
};
