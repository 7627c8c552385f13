import { expect, test } from "vitest";
import { makeDatedFolder } from "../../../../../test/harness/fs/dated-files.ts";
import { writeFiles } from "../../../../../test/harness/git/git.ts";
import type { Imported } from "./find-imported.ts";
import { listMarkedFiles, listSupport } from "./list-support.ts";

function makeRoot(files: Record<string, string> = {}): string {
  const root = makeDatedFolder({});
  writeFiles(root, { "package.json": '{"scripts":{"lint":"node tools/lint.mjs"}}', ...files });
  return root;
}

/** Each file is imported by the test, unless it is said by which. */
function importedBy(test: string, ...files: (string | [file: string, by: string])[]): Imported {
  const pairs = files.map((one) => (typeof one === "string" ? ([one, test] as const) : one));
  return new Map([[test, new Set<string>()], ...pairs.map(([file, by]) => [file, new Set([by])] as const)]);
}

const own = { type: "test", file: "test/a.test.js", name: "a" } as const;
const support = (changed: string[], imported?: Imported, files = {}, file: string = own.file) =>
  listSupport(makeRoot(files), { how: { ...own, file } }, changed, imported);

test("what a work changed in folders of tests is part of a test, but for other tests", () => {
  const data = ["test/data.json", "x/__snapshots__/a.snap", "conftest.py"];
  // Runners load files that no test imports: a set-up file, a plug-in, a mock.
  const loaded = ["test/helper.js", "test/setup.mjs", "tests/plugin.py", "__mocks__/fs.js", "cypress/commands.js"];
  const changed = ["src/a.js", ...loaded, "test/b.test.js", "tests/test_b.py", ...data];
  expect(support(changed, importedBy(own.file, "src/a.js"))).toEqual([...loaded, ...data]);
  expect(support(changed, importedBy(own.file, "test/b.test.js"))).toContain("test/b.test.js");
  expect(support(["src/a.js", "test/helper.js", "test/b.test.js", ...data])).toEqual(["test/helper.js", ...data]);
});

test("helpers outside these folders are known by their names, if the test imports them and is not about them", () => {
  const imported = importedBy(own.file, "src/sum.js", "src/test-utils.js", "lib/testHelpers.js", "src/helpers.js", [
    "src/support/dates.js",
    "src/sum.js",
  ]);
  const changed = ["src/sum.js", "src/test-utils.js", "src/latest.js", "src/mock-api.js", "docs/testing.md"];
  expect(support(changed, imported)).toEqual(["src/test-utils.js"]);
  expect(support(changed)).toEqual(["src/test-utils.js", "src/mock-api.js"]);
  // Programs have helpers, too.
  expect(support(["lib/testHelpers.js", "src/helpers.js", "src/support/dates.js"], imported)).toEqual([
    "lib/testHelpers.js",
    "src/helpers.js",
  ]);
  expect(support(["src/helpers.js"])).toEqual([]);
  expect(support(["src/helpers.js"], imported, {}, "test/helpers.test.js")).toEqual([]);
  expect(support(["src/helpers.js"], importedBy(own.file, "src/helpers.js"))).toEqual([]);
  const about = importedBy("tests/test_testing.py", "src/click/testing.py", "src/click/core.py");
  expect(support(["src/click/testing.py"], about, {}, "tests/test_testing.py")).toEqual([]);
  const others = importedBy("tests/test_core.py", "src/click/testing.py", "src/click/core.py");
  expect(support(["src/click/testing.py"], others, {}, "tests/test_core.py")).toEqual(["src/click/testing.py"]);
});

test("settings of test runners are part of a test, and so is what they or the test script load", () => {
  const settings = [
    "vitest.config.ts",
    "app/jest.config.unit.js",
    ".mocharc.yml",
    "pytest.ini",
    "setup.cfg",
    "tox.ini",
  ];
  const more = ["pyproject.toml", "tsconfig.json", ".cargo/config.toml", "vitest.workspace.ts"];
  const others = ["package.json", "package-lock.json", "eslint.config.js", ".prettierrc", "setup.py", "ruff.toml"];
  expect(support([...settings, ...more, ...others], importedBy(own.file))).toEqual([...settings, ...more]);
  const files = {
    "package.json": '{"scripts":{"test":"node --test --import ./src/boot.mjs --require=./src/first.cjs"}}',
    "vitest.config.ts": 'export default { test: { setupFiles: ["./src/begin.ts"], alias: { a: "./src/a.ts" } } };',
    "pytest.ini": "[pytest]\naddopts = -q -p src.plug\n",
  };
  const loaded = ["src/boot.mjs", "src/first.cjs", "src/begin.ts", "src/plug.py"];
  expect(support([...loaded, "src/a.ts"], importedBy(own.file), files)).toEqual(loaded);
});

test("however a configuration or the test script names it", () => {
  const changed = ["tools/setup.js", "src/a.js"];
  const configured = (value: string) =>
    support(changed, undefined, { "vitest.config.js": `export default { ${value} };` });
  for (const value of [
    "setupFiles: [`./tools/setup.js`]",
    'setupFiles: fileURLToPath(new URL("./tools/setup.js", import.meta.url))',
    'globalSetup: require.resolve("./tools/setup")',
    'globalSetup: path.join(__dirname, "tools", "setup.js")',
  ])
    expect([value, configured(value)]).toEqual([value, ["tools/setup.js"]]);
  for (const script of [
    "node -r ./tools/setup --test",
    "node -r./tools/setup --test",
    "NODE_OPTIONS=--require=./tools/setup.js node --test",
    'cross-env NODE_OPTIONS="--import ./tools/setup.js" mocha',
  ]) {
    const files = { "package.json": JSON.stringify({ scripts: { test: script } }) };
    expect([script, support(changed, undefined, files)]).toEqual([script, ["tools/setup.js"]]);
  }
  // Words that choose tests are no files to load.
  const chosen = { "package.json": JSON.stringify({ scripts: { test: "vitest run src/a" } }) };
  expect(support(changed, undefined, chosen)).toEqual([]);
  expect(support(["evil.egg-info/entry_points.txt", "evil.egg-info/PKG-INFO"])).toEqual([
    "evil.egg-info/entry_points.txt",
  ]);
});

test("so is data that the test names and compares with, wherever it is", () => {
  const files = { "src/a.test.js": 'readFileSync("src/a.cases.json"); readFileSync("src/a.json"); open("README.md");' };
  const changed = ["src/a.cases.json", "src/b.cases.json", "src/a.json", "README.md", "src/cases.js"];
  expect(support(changed, undefined, files, "src/a.test.js")).toEqual(["src/a.cases.json"]);
});

test("so is what settings name or import as a program, unless the test is about it", () => {
  const files = {
    "package.json": '{"jest":{"transform":{"a":["<rootDir>/tools/one.js",{"b":{}}],"c":"<rootDir>/tools/two"}}}',
    "vitest.config.ts": 'import base from "./tools/base.mjs";\nexport default { ...base, runner: "./tools/run.ts" };',
    "conftest.py": 'pytest_plugins = (\n    "tools.plug",\n    "other",\n)\n',
    "test/jest.config.js": 'module.exports = { resolver: "./tools/find.js" };',
  };
  const loaded = ["tools/one.js", "tools/two.js", "tools/base.mjs", "tools/run.ts", "tools/plug.py", "src/other.py"];
  expect(support([...loaded, "test/tools/find.js", "tools/b.js"], importedBy(own.file), files)).toEqual([
    ...loaded,
    "test/tools/find.js",
  ]);
  const about = importedBy(own.file, "tools/two.js", "tools/base.mjs");
  expect(support(loaded, about, files)).toEqual(["tools/one.js", "tools/run.ts", "tools/plug.py", "src/other.py"]);
  const root = makeRoot({ "eslint.config.js": 'import own from "./rules/own.js";' });
  const lint = { type: "command" as const, command: ["npm", "run", "lint"] };
  expect(listSupport(root, { how: lint }, ["rules/own.js", "rules/b.js"], undefined)).toEqual(["rules/own.js"]);
  const manifest = ["package.json", "packages/a/package.json"];
  expect(listSupport(root, { how: own }, manifest, undefined, ["package.json"])).toEqual(["package.json"]);
});

test("tests, settings and files that its script names are part of a command", () => {
  const lint = { type: "command" as const, command: ["npm", "run", "lint"] };
  const more = ["package.json", "tools/lint.mjs", ".eslintrc.json", "eslint.config.js", "tsconfig.json", "src/b.ts"];
  expect(listSupport(makeRoot(), { how: lint }, more, undefined)).toEqual(more.slice(1, 5));
  const left = [".eslintignore", "pyproject.toml", ".editorconfig", ".gitignore"];
  expect(listSupport(makeRoot(), { how: lint }, left, undefined)).toEqual(left.slice(0, 3));
  const others = [
    "tslint.json",
    ".markdownlint.json",
    "cspell.json",
    ".yamllint",
    "rustfmt.toml",
    "src/vale.js",
    "bandit.py",
  ];
  expect(listSupport(makeRoot(), { how: lint }, others, undefined)).toEqual(others.slice(0, -1));
  expect(support(["tslint.json", "karma.conf.js", "jsconfig.json"], importedBy(own.file))).toEqual(["karma.conf.js"]);
  // What git ignores cannot be put back: a build would then change files.
  expect(listMarkedFiles({ how: lint }, left)).toEqual([".gitignore"]);
});
