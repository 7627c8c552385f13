import { join } from "node:path";
import { LineCounter } from "../reports/line-counter.ts";
import type { Runner } from "../runner.ts";
import { listPresentFiles, listRunnerFiles } from "../runner-files.ts";
import {
  className,
  findRelatedJavaTests,
  isJavaTest,
  judgeClassPath,
  listModuleFolders,
  readJavaReports,
  saysJavaTest,
} from "./java.ts";

const settings = [
  ".mvn/maven.config",
  ".mvn/jvm.config",
  ".mvn/extensions.xml",
  ".mvn/wrapper/maven-wrapper.properties",
  ".mvn/wrapper/maven-wrapper.jar",
];

export const maven: Runner = {
  name: "maven",
  isTest: isJavaTest,
  saysTest: saysJavaTest,
  related: findRelatedJavaTests,
  async find(project) {
    if (!project.isFile("pom.xml")) return undefined;
    const wrapper = project.isFile("mvnw") && process.platform !== "win32";
    const program = [wrapper ? "./mvnw" : "mvn", "test"];
    const modules = listModuleFolders(await project.listFiles(), (name) => name === "pom.xml");
    const files = [
      ...(wrapper ? [{ id: "script:mvnw", file: "mvnw" }] : []),
      ...listRunnerFiles(project, /^pom\.xml$/, ["", ...modules.map((folder) => (folder === "." ? "" : folder))]),
      ...listPresentFiles(project, settings),
    ];
    return { words: program, program, extra: [], env: {}, files, notes: [] };
  },
  async words({ found, choice, coverage }) {
    const classes = choice.kind === "all" ? [] : choice.files.map(className);
    const words = [
      ...found.program,
      "--batch-mode",
      "--no-transfer-progress",
      "--fail-at-end",
      "-Dstyle.color=never",
      ...(classes.length > 0
        ? [`-Dtest=${classes.join(",")}`, "-DfailIfNoTests=false", "-Dsurefire.failIfNoSpecifiedTests=false"]
        : []),
    ];
    return { words, notes: coverage ? ["No coverage: Maven does not measure it by itself."] : [] };
  },
  read({ project }) {
    const classPath: string[] = [];
    const counter = new LineCounter({
      done: /Tests run: (\d{1,7}), Failures: \d{1,7}, Errors: \d{1,7}, Skipped: \d{1,7}, Time elapsed/,
      failed: /Failures: (\d{1,7}), Errors: \d{1,7}, Skipped: \d{1,7}, Time elapsed/,
    });
    return {
      line: (line) => counter.addLine(line),
      progress: () => counter.getProgress(),
      origin: () => judgeClassPath(project, classPath),
      finish: ({ startedAt }) =>
        readJavaReports(project, {
          since: startedAt,
          onClassPath: (paths) => classPath.push(...paths),
          folders: (files) =>
            listModuleFolders(files, (name) => name === "pom.xml").map((module) => ({
              folder: join(project.root, module, "target/surefire-reports"),
              module,
            })),
        }),
    };
  },
};
