import { posix } from "node:path";
import { fileName } from "../../../../commons/code-index/project-index.ts";
import {
  listCheckRunnables,
  listConfiguredRunnables,
} from "../../../../commons/test-runs/project/configured-commands.ts";
import { TestProject } from "../../../../commons/test-runs/project/test-project.ts";

/** Says what linters, compilers and runners accept. */
const settings =
  /^(?:\.[\w-]+rc(?:\.\w+)?|\.(?!git|docker|npm)[\w-]+ignore|\.editorconfig|\.rspec|phpunit\.xml(?:\.dist)?|\.?[\w-]+\.(?:config|workspace)(?:\.[\w-]+){0,3}\.\w+|(?:tsconfig[\w.-]*|biome|ruff|mypy|\.?pytest|tox|clippy|deny|deno|bunfig|pyproject|setup|\.golangci|\.flake8|\.rubocop)\.(?:jsonc?|toml|ini|cfg|ya?ml)|\.flake8)$/;

const linters =
  /^\.?(?:eslint|prettier|stylelint|commitlint|lint-?staged|markdownlint|biome|ruff|mypy|pylint|clippy|deny|golangci|flake8|rubocop|editor|tailwind|postcss|next|nuxt|docusaurus)/;

export function isSetting(path: string): boolean {
  return settings.test(fileName(path)) || /(?:^|\/)\.cargo\/config(?:\.toml)?$/.test(path);
}

/** Of these, those that say how tests are run. */
export function isRunnerSetting(path: string): boolean {
  return isSetting(path) && !linters.test(fileName(path));
}

/** `setupFiles: ["./setup.ts"]`, `"globalSetup": "<rootDir>/setup.js"`. */
const namedFiles =
  /\b(?:setupFiles\w{0,20}|globalSetup|globalTeardown|testEnvironment|testRunner|snapshotSerializers|reporters?|require|import|file)["']?\s{0,20}[:=]\s{0,20}(?=["'[])/g;
const maxValue = 2_000;

/** Files that the runner loads by itself: those that the test script names, or the settings in the project's folder. */
export function listLoadedByRunner(root: string): ReadonlySet<string> {
  const project = new TestProject(root);
  const runnables = listConfiguredRunnables(root).testCommand ?? listCheckRunnables(root, ["npm", "test"]);
  const words = runnables.flatMap(({ command = [] }) => command.join(" ").split(/[\s"']+/));
  const { jest, mocha } = project.readManifest();
  const texts = [JSON.stringify({ jest, mocha }), ...project.listNames("").filter(isRunnerSetting).map(readSetting)];
  function readSetting(name: string): string {
    return project.readText(name) ?? "";
  }
  const named = texts.flatMap((text) =>
    [...text.matchAll(namedFiles)].flatMap((found) => listStrings(text.slice(found.index + found[0].length))),
  );
  const plugins = texts.flatMap((text) => [...text.matchAll(/\s-p[ =]?([\w.]{1,200})/g)].map(([, name = ""]) => name));
  return new Set([
    ...[...words, ...named].map((word) => posix.normalize(word.replace(/^-[^=]*=/, ""))),
    ...plugins.map((name) => `${name.replaceAll(".", "/")}.py`),
  ]);
}

/** A list's strings, or the one string that is there. */
function listStrings(text: string): string[] {
  const [value = ""] = text.slice(0, maxValue).split(text.startsWith("[") ? "]" : "\n", 1);
  const strings = [...value.matchAll(/["']([^"'\n]{1,300})["']/g)].map(([, path = ""]) =>
    path.replace("<rootDir>/", ""),
  );
  return text.startsWith("[") ? strings : strings.slice(0, 1);
}
