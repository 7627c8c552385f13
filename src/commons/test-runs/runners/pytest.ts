import { join, posix } from "node:path";
import { isRecord } from "../../../kernel/json.ts";
import type { Runnable } from "../../trust/runnable.ts";
import { findModulePath, readPythonOrigin, writePytestStarter } from "../origin/python-origin.ts";
import { stateFolder, type TestProject } from "../project/test-project.ts";
import { readCoberturaCoverage } from "../reports/coverage.ts";
import type { JunitCase } from "../reports/junit.ts";
import { LineCounter } from "../reports/line-counter.ts";
import { findLine, readReport, toProjectPath } from "../reports/report-files.ts";
import type { Runner } from "../runner.ts";
import { listRunnerFiles } from "../runner-files.ts";

const isPythonTest = (path: string) => /(?:^|\/)(?:test_[^/]*|[^/]+_test)\.py$/.test(path);

const noPlugin = "No coverage: it takes pytest-cov, installed for the Python that runs the tests.";

/** What Python ends with, started with `-m` or with a text that imports it. */
const notThere = /(?:^|[ \n])No module named '?pytest'?$/;

export const pytest: Runner = {
  name: "pytest",
  isTest: isPythonTest,
  async find(project) {
    if (!(await isUsed(project))) return undefined;
    const own = project.findNearest(...ownPythons) ?? project.findInMain(...ownPythons);
    const python = process.platform === "win32" ? "python" : "python3";
    return {
      words: [own === undefined ? python : (ownPythons.find((path) => own.endsWith(path)) ?? python), "-m", "pytest"],
      program: [own ?? python, "-m", "pytest"],
      extra: [],
      env: {},
      files: await listSettings(project),
      notes: [],
    };
  },
  async words(order) {
    const { project, found, choice, reports, coverage } = order;
    const words = [
      found.program[0] ?? "",
      ...(await writePytestStarter(order)),
      "-v",
      "--color=no",
      ...(project.hasWorktrees() ? [`--ignore=${stateFolder}`] : []),
      "-o",
      "junit_family=xunit1",
      `--junitxml=${join(reports, "report.xml")}`,
      ...(coverage ? [findCoverageSource(project), `--cov-report=xml:${join(reports, "coverage.xml")}`] : []),
      ...(choice.kind === "all" ? [] : ["--", ...choice.files.map((file) => `./${file}`)]),
    ];
    // What it notes while it measures would lie in the project, and the tests would seem to have changed it.
    const coverageFile = coverage ? { COVERAGE_FILE: join(reports, ".coverage") } : {};
    return { words, env: { ...coverageFile, ...(await findModulePath(order)) } };
  },
  read(order) {
    const { project, found, reports, coverage: isMeasured } = order;
    const counter = new LineCounter({
      done: / (?:PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: |$)/,
      failed: / (?:FAILED|ERROR)(?: |$)/,
    });
    return {
      line: (line) => counter.addLine(line),
      progress: () => counter.getProgress(),
      origin: () => readPythonOrigin(order),
      missing({ exitCode, text }) {
        if (exitCode !== 1 || readReport(join(reports, "report.xml")) !== undefined) return undefined;
        return notThere.test(text.trimEnd()) ? `pytest is not installed for ${found.words[0]}` : undefined;
      },
      async finish() {
        const report = readReport(join(reports, "report.xml"));
        const { readJunit } = await import("../reports/junit.ts");
        const cases = report === undefined ? undefined : readJunit(report);
        if (!cases) return undefined;
        const coverage = readCoberturaCoverage(join(reports, "coverage.xml"));
        const of = (outcome: string) => cases.filter((test) => test.outcome === outcome);
        return {
          passed: of("passed").length,
          failed: of("failed").length,
          skipped: of("skipped").length,
          coverage,
          notes: isMeasured && !coverage ? [noPlugin] : [],
          cases: cases.map((one) => ({ ...nameCase(one, project.root), outcome: one.outcome })),
          failures: of("failed").map((failed) => {
            const { line, message } = failed;
            const { name, file } = nameCase(failed, project.root);
            // Counted from 0, where the test begins; the message names the line that failed.
            const at =
              (file === undefined ? undefined : findLine(message, file)) ?? (line === undefined ? undefined : line + 1);
            return {
              name,
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

/** Files by which a project is one of Python's, whatever else is in it. */
const manifest =
  /^(?:pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|Pipfile|noxfile\.py|manage\.py|requirements(?:.*\.txt)?)$/;

async function isUsed(project: TestProject): Promise<boolean> {
  const settings: [string, string][] = [
    ["pyproject.toml", "[tool.pytest"],
    ["setup.cfg", "[tool:pytest]"],
    ["tox.ini", "[pytest]"],
  ];
  return (
    ["pytest.ini", ".pytest.ini", "conftest.py", "tests/conftest.py"].some((path) => project.has(path)) ||
    settings.some(([path, section]) => project.readText(path)?.includes(section)) ||
    ["", "tests", "test"].some((folder) => project.listNames(folder).some(isPythonTest)) ||
    (project.listNames("").some((name) => manifest.test(name)) && (await project.listFiles()).some(isPythonTest))
  );
}

const settings = /^(?:\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg|pyproject\.toml)$/;

/** pytest looks in the folders of the tests that it runs, and in those above. */
async function listSettings(project: TestProject): Promise<Runnable[]> {
  const folders = new Set([""]);
  for (const path of (await project.listFiles()).filter(isPythonTest))
    for (let { dir } = posix.parse(path); !folders.has(dir); { dir } = posix.parse(dir)) folders.add(dir);
  const found = listRunnerFiles(project, settings, folders);
  return (await Promise.all(found.map((one) => readSettings(project, one)))).flat();
}

/** Of files that are there for other things too, only those with a part for pytest. */
async function readSettings(project: TestProject, found: Runnable): Promise<Runnable[]> {
  const name = posix.basename(found.file ?? "");
  // One that cannot be read is shown, and refused.
  const text = project.readText(found.file ?? "") ?? "[pytest] [tool:pytest]";
  if (name === "tox.ini") return text.includes("[pytest]") ? [found] : [];
  if (name === "setup.cfg") return text.includes("[tool:pytest]") ? [found] : [];
  if (name !== "pyproject.toml") return [found];
  const { parse } = await import("smol-toml");
  try {
    const { tool } = parse(text);
    const part = isRecord(tool) ? tool["pytest"] : undefined;
    return part === undefined ? [] : [{ id: `${found.id} [tool.pytest]`, command: [JSON.stringify(part)] }];
  } catch {
    return [found];
  }
}

/** What the project says is its code, else all of its own folder: without either, installed packages would count too. */
function findCoverageSource(project: TestProject): string {
  const settings: [string, string][] = [
    [".coveragerc", "[run]"],
    ["pyproject.toml", "[tool.coverage.run]"],
    ["setup.cfg", "[coverage:run]"],
    ["tox.ini", "[coverage:run]"],
  ];
  const isSaid = settings.some(([path, section]) => {
    const [, said] = project.readText(path)?.split(section) ?? [];
    return said !== undefined && /^(?:source|source_pkgs|include)[ \t]*=/m.test(said);
  });
  return isSaid ? "--cov" : "--cov=.";
}

/** `Class::test[parameter]`, and the file: together pytest's own id. */
function nameCase({ name, className, file: path }: JunitCase, root: string): { name: string; file?: string } {
  const file = path === undefined ? undefined : toProjectPath(root, path);
  const inClass = file === undefined ? "" : className.slice(moduleName(file).length + 1);
  const full = [...inClass.split(".").filter((part) => part !== ""), name].join("::");
  return { name: full, ...(file !== undefined && { file }) };
}

function moduleName(file: string): string {
  return file.replace(/\.py$/, "").split("/").join(".");
}
