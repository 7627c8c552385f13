import { posix } from "node:path";
import { fileName } from "../../../../commons/code-index/project-index.ts";
import {
  listCheckRunnables,
  listConfiguredRunnables,
} from "../../../../commons/test-runs/project/configured-commands.ts";
import { TestProject } from "../../../../commons/test-runs/project/test-project.ts";
import { isManifest, readSettingKeys } from "./manifest-settings.ts";

/** Says what linters, compilers and runners accept. */
const settings =
  /^(?:\.[\w-]+rc(?:\.\w+)?|\.(?!git|docker|npm)[\w-]+ignore|\.editorconfig|\.rspec|phpunit\.xml(?:\.dist)?|\.?[\w-]+\.(?:config|workspace)(?:\.[\w-]+){0,3}\.\w+|(?:karma|wdio|nightwatch|protractor)\.conf\.\w+|(?:tsconfig[\w.-]*|biome|ruff|mypy|\.?pytest|tox|clippy|deny|deno|bunfig|pyproject|setup|\.golangci|\.flake8|\.rubocop)\.(?:jsonc?|toml|ini|cfg|ya?ml)|\.flake8)$/;

/** Of linters and formatters, by names that say nothing of settings. */
const linterNames = new Set(
  [
    "tslint jslint jshint oxlint htmlhint markdownlint markdownlint-cli2 yamllint swiftlint ansible-lint hadolint tflint actionlint",
    "checkstyle detekt pmd phpcs phpmd phpstan psalm rustfmt scalafmt isort pydocstyle bandit vale typos _typos codespell",
    "cspell dprint knip pyrightconfig jsconfig size-limit dependency-cruiser lighthouserc luacheckrc pylintrc clang-format clang-tidy",
  ].flatMap((names) => names.split(" ")),
);
const settingsEnding = /(?:\.(?:jsonc?|json5|ya?ml|toml|ini|cfg|xml|neon|hcl|conf|[cm]?js|dist)){1,2}$/;

function isLinterSetting(name: string): boolean {
  return linterNames.has(name.replace(/^\./, "").replace(settingsEnding, ""));
}

const linters =
  /^\.?(?:eslint|prettier|stylelint|commitlint|lint-?staged|markdownlint|biome|ruff|mypy|pylint|clippy|deny|golangci|flake8|rubocop|editor|tailwind|postcss|next|nuxt|docusaurus)/;

/** Settings by where they are; the second have pytest load plug-ins. */
const placed = /(?:^|\/)(?:\.cargo\/config(?:\.toml)?|[^/]+\.(?:egg|dist)-info\/entry_points\.txt)$/;

export function isSetting(path: string): boolean {
  return settings.test(fileName(path)) || isLinterSetting(fileName(path)) || placed.test(path);
}

/** Says what a linter leaves out. Not what git does, which says what a build makes, too. */
export function isIgnoreFile(path: string): boolean {
  return /^\.(?!git|docker|npm)[\w-]+ignore$/.test(fileName(path));
}

/** Of these, those that say how tests are run. */
export function isRunnerSetting(path: string): boolean {
  return isSetting(path) && !linters.test(fileName(path)) && !isLinterSetting(fileName(path));
}

/** `setupFiles: ["./setup.ts"]`, `"globalSetup": "<rootDir>/setup.js"`, `globalSetup: require.resolve("./setup")`. */
const namedFiles =
  /(?<![\w/-])(?:setupFiles\w{0,20}|globalSetup|globalTeardown|testEnvironment|testRunner|snapshotSerializers|reporters?|require|import|file)["']?\s{0,20}[:=]\s{0,20}(?=["'`[]|[\w.]{1,60}\()/g;
/** These may as well name what the project is about: a transformer, a resolver, a plug-in. */
const namedPrograms =
  /(?<![\w/-])(?:transform|resolver|snapshotResolver|snapshotEnvironment|testResultsProcessor|testSequencer|sequencer|runner|environment|preset|filter|extends|plugins|loader)["']?\s{0,20}[:=]\s{0,20}(?=["'`[{]|[\w.]{1,60}\()/g;
/** What a test script has Node or the runner load: `-r ./setup`, `NODE_OPTIONS=--require=./setup.js`. */
const scriptOptions =
  /(?<![\w-])(?:-r|--require|--import|--loader|--experimental-loader|--file|--setupFiles\w{0,20}|--globalSetup|--reporter)(?:[\s=]{1,9}|(?=[./]))["']?([^\s"']{1,300})/g;
const imports = /\b(?:from|import|require)\b\s{0,9}\(?\s{0,9}["'](\.{1,2}\/[^"'\n]{1,300})["']/g;
const pytestPlugins = /^pytest_plugins\b[^=\n]{0,100}=\s{0,20}(?=["'([])/gm;
const maxValue = 2_000;
const endings = ["", ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".json", "/index.js", "/index.ts"];

export type LoadedFiles = {
  /** To prepare tests or to report on them. */
  named: ReadonlySet<string>;
  /** By a name or an import that may as well lead to the code under test. */
  programs: ReadonlySet<string>;
};

/** Files that runners load by themselves: those that the test script names, or the settings in these folders. */
export function listLoadedByRunner(root: string, folders: readonly string[], isMeant = isRunnerSetting): LoadedFiles {
  const project = new TestProject(root);
  const runnables = listConfiguredRunnables(root).testCommand ?? listCheckRunnables(root, ["npm", "test"]);
  const scripts = runnables.map(({ command = [] }) => command.join(" "));
  const words = scripts.flatMap((script) => script.split(/[\s"']+/));
  const named = new Set(words.map((word) => posix.normalize(word.replace(/^-[^=]*=/, ""))));
  for (const [, value = ""] of scripts.flatMap((script) => [...script.matchAll(scriptOptions)]))
    for (const path of value.split(",")) add(named, "", path);
  const programs = new Set<string>();
  for (const folder of folders)
    for (const text of readSettings(project, folder, isMeant)) {
      for (const path of listValues(text, namedFiles)) add(named, folder, path);
      for (const path of listValues(text, namedPrograms)) add(programs, folder, path);
      for (const [, path = ""] of text.matchAll(imports)) add(programs, folder, path);
      for (const path of listPlugins(text, folder)) named.add(path);
    }
  // What a package.json says to runners is looked at by itself; the rest of it changes with every dependency.
  return { named, programs: new Set([...programs].filter((path) => !isManifest(path))) };
}

function readSettings(project: TestProject, folder: string, isMeant: (path: string) => boolean): string[] {
  const read = (name: string) => project.readText(posix.join(folder, name));
  const names = project.listNames(folder).filter((name) => isMeant(name) || name === "conftest.py");
  return [...names.map((name) => read(name) ?? ""), JSON.stringify(readSettingKeys(read("package.json")))];
}

/** Modules of Python: `addopts = -p tests.plug`, `pytest_plugins = ["plug"]`. */
function listPlugins(text: string, folder: string): string[] {
  const options = [...text.matchAll(/\s-p[ =]?([\w.]{1,200})/g)].map(([, name = ""]) => name);
  const modules = [...options, ...listValues(text, pytestPlugins)].map((name) => name.replaceAll(".", "/"));
  const places = ["", "src", folder].flatMap((place) => modules.map((name) => posix.join(place, name)));
  return places.flatMap((path) => [`${path}.py`, `${path}/__init__.py`]);
}

function add(files: Set<string>, folder: string, path: string): void {
  for (const end of endings) files.add(posix.join(folder, `${path}${end}`));
}

/** The strings that follow each match: those of a list, an object or a call, or the one that is there. */
function listValues(text: string, key: RegExp): string[] {
  return [...text.matchAll(key)].flatMap((found) => {
    const rest = text.slice(found.index + found[0].length).slice(0, maxValue);
    const isOne = /^["'`]/.test(rest);
    const value = isOne ? rest.split("\n", 1).join("") : rest.slice(0, findEnd(rest));
    const strings = [...value.matchAll(/["'`]([^"'`\n]{1,300})["'`]/g)].map(([, path = ""]) => path);
    // `join(folder, "tools", "setup.js")` names one file.
    const joined = /^\w/.test(rest) ? [strings.join("/")] : [];
    return [...strings, ...joined].map((path) => path.replace("<rootDir>/", "")).slice(0, isOne ? 1 : undefined);
  });
}

/** Where the bracket that a text begins with is closed. */
function findEnd(text: string): number {
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/[([{}\])]/g)) {
    depth += "([{".includes(bracket) ? 1 : -1;
    if (depth === 0) return index;
  }
  return text.length;
}
