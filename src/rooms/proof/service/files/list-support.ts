import { detectLanguage } from "../../../../commons/code-index/languages.ts";
import { fileName, isTestFile } from "../../../../commons/code-index/project-index.ts";
import type { Check } from "../../../../commons/evidence/checks.ts";
import { listCheckRunnables } from "../../../../commons/test-runs/project/configured-commands.ts";
import { TestProject } from "../../../../commons/test-runs/project/test-project.ts";
import type { Imported } from "./find-imported.ts";
import { isDataOf, isHelper } from "./is-helper.ts";
import { isRunnerSetting, isSetting, listLoadedByRunner } from "./runner-settings.ts";

/** Where tests keep what they use: helpers, fixtures, mocks and recorded results. */
const folders = new Set(
  "test tests __tests__ spec specs e2e cypress playwright testing testutil testutils test-utils testdata test-data fixture fixtures __fixtures__ mocks __mocks__ snapshots __snapshots__".split(
    " ",
  ),
);

/** Loaded by runners without an import. */
const unnamed =
  /^(?:conftest\.py|(?:site|user)customize\.py|(?:vitest|jest|mocha|test)[._-]?setup\.\w+|setup[._-]?tests?\.\w+|.+\.snap)$/i;

/**
 * Of the files that a work changed, those that a check uses beside its own, and that decide what it accepts: helpers, fixtures,
 * recorded results, settings; for a command also tests, and files that its script names. `imported`: what a test imports, undefined
 * if that is not known. `manifests`: each package.json whose settings the work changed. Runners load files and tests read data in ways that cannot be seen, so all in a folder of tests counts.
 */
export function listSupport(
  root: string,
  { how }: Pick<Check, "how">,
  changed: readonly string[],
  imported: Imported | undefined,
  manifests: readonly string[] = [],
): string[] {
  const isSettings = (path: string) => manifests.includes(path);
  if (how.type === "test") {
    const { named, programs } = listLoadedByRunner(root, listFolders(how.file));
    const text = new TestProject(root).readText(how.file) ?? "";
    const isMeant = (path: string) =>
      isRunnerSetting(path) ||
      named.has(path) ||
      (programs.has(path) && !imported?.has(path)) ||
      (isSupport(path) ? isUsed(path, imported) : isHelper(path, how.file, imported, isSupport)) ||
      isDataOf(path, text);
    return changed.filter(
      (path) => isSettings(path) || (path !== how.file && path !== "package.json" && isMeant(path)),
    );
  }
  if (!("command" in how)) return [];
  const runnables = listCheckRunnables(root, how.command);
  const text = runnables.map(({ command = [] }) => command.join(" ")).join("\n");
  // What trust is asked about is not put back: the user has seen it as it is now.
  const own = new Set(runnables.map(({ file }) => file));
  // By other names, settings of linters speak of the code that they are for.
  const { programs } = listLoadedByRunner(root, [""], isSetting);
  const isMeant = (path: string) => isSupport(path) || isSetting(path) || text.includes(path) || programs.has(path);
  return changed.filter((path) => isSettings(path) || (!own.has(path) && path !== "package.json" && isMeant(path)));
}

/**
 * Of the files that a work changed, those that a check's result may come from, and that cannot be put back: for numbers of tests,
 * the tests; for a command, what git ignores, which many linters leave out.
 */
export function listMarkedFiles({ how }: Pick<Check, "how">, changed: readonly string[]): string[] {
  if ("command" in how) return changed.filter((path) => fileName(path) === ".gitignore");
  return how.type === "invariant" && testNumbers.test(how.name) ? changed.filter(isSupport) : [];
}

const testNumbers = /^(?:backend|frontend)_test_(?:count|failures)$/;

/** The folder of a file, and those above it. */
function listFolders(path: string): string[] {
  const parents = path.split("/").slice(0, -1);
  return [...parents.keys()].map((at) => parents.slice(0, at + 1).join("/")).concat("");
}

function isSupport(path: string): boolean {
  const parents = path.split("/").slice(0, -1);
  return unnamed.test(fileName(path)) || isTestFile(path) || parents.some((name) => folders.has(name));
}

function isUsed(path: string, imported: Imported | undefined): boolean {
  if (unnamed.test(fileName(path)) || imported?.has(path)) return true;
  return !isSeparateTest(path, imported !== undefined);
}

/** Another test of its own. In Go, the test files of a package are compiled together; in Python, tests often import each other. */
function isSeparateTest(path: string, areImportsKnown: boolean): boolean {
  const name = fileName(path);
  if (areImportsKnown && /^test_.{0,250}\.py$/.test(name)) return true;
  return !name.endsWith("_test.go") && /[._-](?:test|tests|spec|specs)\.\w+$/.test(name);
}

/** Not data, which may be missing for other reasons than that it decides what a test accepts. */
export function isCodeOrSetting(path: string): boolean {
  return detectLanguage(path)?.ecosystem !== undefined || isSetting(path);
}
