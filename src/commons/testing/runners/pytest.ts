import { join, relative } from "node:path";
import { LineCounter } from "../counting.ts";
import { pythonCoverage } from "../coverage.ts";
import { stateFolder, type TestProject } from "../project.ts";
import { lineIn, readReport, shownFile } from "../report-files.ts";
import type { Runner } from "../runner.ts";

const isPythonTest = (path: string) => /(?:^|\/)(?:test_[^/]*|[^/]+_test)\.py$/.test(path);

export const pytest: Runner = {
  name: "pytest",
  isTest: isPythonTest,
  env: { PYTHONDONTWRITEBYTECODE: "1", PYTHONUNBUFFERED: "1", PY_COLORS: "0" },
  async find(project) {
    if (!isUsed(project)) return undefined;
    const own = project.nearest(...ownPythons);
    const python = process.platform === "win32" ? "python" : "python3";
    return {
      words: [own === undefined ? python : (ownPythons.find((path) => own.endsWith(path)) ?? python), "-m", "pytest"],
      program: [own ?? python, "-m", "pytest"],
      extra: [],
      env: {},
      files: [],
      notes: [],
    };
  },
  async words({ project, found, choice, reports, coverage }) {
    const measures = coverage && hasPlugin(project);
    const words = [
      ...found.program,
      "-v",
      ...(project.holdsWorkTrees() ? [`--ignore=${stateFolder}`] : []),
      "-o",
      "junit_family=xunit1",
      `--junitxml=${join(reports, "report.xml")}`,
      ...(measures ? ["--cov", `--cov-report=json:${join(reports, "coverage.json")}`] : []),
      ...(choice.kind === "all" ? [] : ["--", ...choice.files.map((file) => `./${file}`)]),
    ];
    return {
      words,
      notes: coverage && !measures ? ["No coverage: pytest-cov is not in the project's own environment."] : [],
    };
  },
  read({ project, reports }) {
    const counter = new LineCounter({
      done: / (?:PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: |$)/,
      failed: / (?:FAILED|ERROR)(?: |$)/,
    });
    return {
      line: (line) => counter.line(line),
      progress: () => counter.progress(),
      async finish() {
        const report = readReport(join(reports, "report.xml"));
        const { readJunit } = await import("../junit.ts");
        const cases = report === undefined ? undefined : readJunit(report);
        if (!cases) return undefined;
        const of = (outcome: string) => cases.filter((test) => test.outcome === outcome);
        return {
          passed: of("passed").length,
          failed: of("failed").length,
          skipped: of("skipped").length,
          coverage: pythonCoverage(join(reports, "coverage.json")),
          notes: [],
          failures: of("failed").map(({ name, className, file: path, line, message }) => {
            const file = path === undefined ? undefined : shownFile(project.root, path);
            const inClass = file === undefined ? "" : className.slice(moduleOf(file).length + 1);
            // Counted from 0, where the test begins; the message names the line that failed.
            const at =
              (file === undefined ? undefined : lineIn(message, file)) ?? (line === undefined ? undefined : line + 1);
            return {
              name: [...inClass.split(".").filter((part) => part !== ""), name].join("::"),
              message,
              ...(file !== undefined && { file }),
              ...(at !== undefined && { line: at }),
            };
          }),
        };
      },
    };
  },
};

const ownPythons = [".venv", "venv"].flatMap((folder) =>
  process.platform === "win32" ? [`${folder}/Scripts/python.exe`] : [`${folder}/bin/python`],
);

function isUsed(project: TestProject): boolean {
  const settings: [string, string][] = [
    ["pyproject.toml", "[tool.pytest"],
    ["setup.cfg", "[tool:pytest]"],
    ["tox.ini", "[pytest]"],
  ];
  return (
    ["pytest.ini", ".pytest.ini", "conftest.py", "tests/conftest.py"].some((path) => project.has(path)) ||
    settings.some(([path, section]) => project.text(path)?.includes(section)) ||
    ["", "tests", "test"].some((folder) => project.names(folder).some(isPythonTest))
  );
}

/** By its folder: asking the interpreter would be running something before the tests. */
function hasPlugin(project: TestProject): boolean {
  const own = project.nearest(".venv", "venv");
  if (own === undefined) return false;
  const folder = relative(project.root, own);
  const places = project.names(`${folder}/lib`).map((python) => `${folder}/lib/${python}/site-packages/pytest_cov`);
  return [...places, `${folder}/Lib/site-packages/pytest_cov`].some((path) => project.has(path));
}

function moduleOf(file: string): string {
  return file.replace(/\.py$/, "").split("/").join(".");
}
