import { detectLanguage } from "../../../../commons/code-index/languages.ts";
import { fileName, isTestFile } from "../../../../commons/code-index/project-index.ts";
import type { Check } from "../../../../commons/evidence/checks.ts";
import { listCheckRunnables } from "../../../../commons/test-runs/project/configured-commands.ts";

/** Where tests keep what they use: helpers, fixtures, mocks and recorded results. */
const folders = new Set(
  "test tests __tests__ spec specs e2e testing testutil testutils test-utils testdata test-data fixture fixtures __fixtures__ mocks __mocks__ snapshots __snapshots__".split(
    " ",
  ),
);

/** Loaded by runners without an import. */
const unnamed = /^(?:conftest\.py|(?:vitest|jest|mocha|test)[.-]?setup\.\w+|setup[.-]?tests?\.\w+|.+\.snap)$/i;

/** Says what linters, compilers and runners accept. */
const settings =
  /^(?:\.[\w-]+rc(?:\.\w+)?|\.?[\w-]+\.config\.\w+|(?:tsconfig[\w.-]*|biome|ruff|mypy|pytest|tox|clippy|deny|\.golangci|\.flake8|\.rubocop)\.(?:jsonc?|toml|ini|cfg|ya?ml)|\.flake8)$/;

/**
 * Of the files that a work changed, those that a check uses beside its own, and that decide what it accepts: helpers, fixtures,
 * recorded results; for a command also tests, settings, and files that its script names. `imported`: what a test imports, undefined
 * if that is not known. A test reads data in ways that cannot be seen, so all of it counts.
 */
export function listSupport(
  root: string,
  { how }: Pick<Check, "how">,
  changed: readonly string[],
  imported: ReadonlySet<string> | undefined,
): string[] {
  if (how.type === "test")
    return changed.filter((path) => path !== how.file && isSupport(path) && isUsed(path, imported));
  if (!("command" in how)) return [];
  const runnables = listCheckRunnables(root, how.command);
  const text = runnables.map(({ command = [] }) => command.join(" ")).join("\n");
  // What trust is asked about is not put back: the user has seen it as it is now.
  const own = new Set(runnables.map(({ file }) => file));
  const isMeant = (path: string) => isSupport(path) || settings.test(fileName(path)) || text.includes(path);
  return changed.filter((path) => !own.has(path) && path !== "package.json" && isMeant(path));
}

function isSupport(path: string): boolean {
  const parents = path.split("/").slice(0, -1);
  return unnamed.test(fileName(path)) || isTestFile(path) || parents.some((name) => folders.has(name));
}

function isUsed(path: string, imported: ReadonlySet<string> | undefined): boolean {
  if (unnamed.test(fileName(path))) return true;
  return imported === undefined ? !isSeparateTest(path) : imported.has(path) || isData(path);
}

/** Another test of its own. In Go, the test files of a package are compiled together. */
function isSeparateTest(path: string): boolean {
  return !path.endsWith("_test.go") && /[._-](?:test|tests|spec|specs)\.\w+$/.test(fileName(path));
}

function isData(path: string): boolean {
  return detectLanguage(path)?.ecosystem === undefined;
}
