import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  configuredTest,
  debianFirst,
  elsewhere,
  installPackages,
  patienceMs,
  preparedRunners,
  testingSandbox,
  virtualEnvironment,
  withWorkTree,
} from "../../../../test/harness/commons/testing.ts";
import { link, put, remove } from "../../../../test/harness/commons/trust.ts";
import { testWith } from "../../../../test/harness/faults/faults.ts";

testWith(
  ["pytestCov"],
  "pytest: the work tree's packages are tested although the main folder is installed editable; what cannot be avoided fails the run",
  async () => {
    const { main, tree, run, trustAll } = await withWorkTree(
      {
        ".gitignore": ".venv\n",
        "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n[tool.pytest.ini_options]\n',
        "src/shop/__init__.py": "ANSWER = 42\n",
        "tests/test_shop.py": "from shop import ANSWER\n\n\ndef test_answer():\n    assert ANSWER == 42\n",
      },
      debianFirst,
    );
    virtualEnvironment(main, (name) => !/^(?:shop|xdist)/.test(name));
    const packages = join(main, ".venv/lib/python3.11/site-packages");
    put(packages, "__editable__.shop.pth", `${main}/src\n`);
    await trustAll(main);
    expect(await run(main)).toMatchObject({ status: "passed", origin: { from: "tree" } });
    expect(await run(tree)).toMatchObject({ status: "passed", origin: { from: "tree" } });
    put(tree, "src/shop/__init__.py", "ANSWER = 41\n");
    expect(await run(tree)).toMatchObject({ status: "failed", failed: 1, origin: { from: "tree" } });
    // An editable install that comes before everything else, as those of meson-python do.
    const finder = `import sys\nsys.path.insert(0, ${JSON.stringify(`${main}/src`)})\n`;
    put(packages, "shop_finder.py", finder);
    put(packages, "__editable__.shop.pth", "import shop_finder\n");
    put(tree, "tests/conftest.py", finder);
    expect(await run(tree)).toMatchObject(elsewhere);
  },
  patienceMs,
);

testWith(
  ["pytestCov"],
  "pytest: a copy of the project among the installed packages is not the project",
  async () => {
    const { project, run, trustAll } = testingSandbox(debianFirst);
    const root = await project({
      "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n[tool.pytest.ini_options]\n',
      "src/shop/__init__.py": "ANSWER = 41\n",
      "tests/test_shop.py": "from shop import ANSWER\n\n\ndef test_answer():\n    assert ANSWER == 42\n",
    });
    virtualEnvironment(root, (name) => !/^(?:shop|xdist)/.test(name));
    put(root, ".venv/lib/python3.11/site-packages/shop/__init__.py", "ANSWER = 42\n");
    await trustAll(root);
    expect(await run(root)).toMatchObject(elsewhere);
  },
  patienceMs,
);

const workspace = {
  ".gitignore": "node_modules\n.forge\n",
  "package.json": '{"private":true,"workspaces":["packages/*"],"scripts":{"test":"node --test"}}',
  "packages/sums/package.json": '{"name":"sums","main":"index.js"}',
  "packages/sums/index.js": "exports.add = (a, b) => a + b;\n",
  "packages/sums/sum.mjs": "export const add = (a, b) => a + b;\n",
  "packages/shop/package.json": '{"name":"shop"}',
  "packages/shop/shop.test.js":
    'const { add } = require("sums");\nrequire("node:test")("adds", () => require("node:assert").equal(add(1, 1), 2));\n',
};

const linkWorkspace = (root: string) => {
  put(root, "node_modules/.package-lock.json", "{}");
  link("../packages/sums", join(root, "node_modules/sums"));
};

test("node:test in a workspace: packages of another work tree fail the run, whether required or imported", {
  timeout: patienceMs,
}, async () => {
  const { main, run, git, trustAll } = await withWorkTree(workspace);
  linkWorkspace(main);
  expect(await run(main)).toMatchObject({ status: "passed", origin: { from: "tree" } });
  const nested = join(main, ".forge", "worktrees", "one");
  git(main, "worktree", "add", "--quiet", nested);
  // It finds the packages of the folder around it, and they lead to that folder's own.
  const outcome = await run(nested);
  expect(outcome).toMatchObject({ ...elsewhere, passed: 1 });
  expect(outcome.failures[0]?.message).toContain(join(main, "packages/sums/index.js"));
  const importing = (from: string) =>
    `import { add } from "${from}";\nimport test from "node:test";\ntest("adds", () => add(1, 1));\n`;
  put(nested, "packages/shop/package.json", '{"name":"shop","type":"module"}');
  for (const name of ["sums", "sums/sum.mjs"]) {
    put(nested, "packages/shop/shop.test.js", importing(name));
    expect(await run(nested)).toMatchObject(elsewhere);
  }
  // A loader may read modules in its own way.
  const loader = [
    'import { readFileSync } from "node:fs";',
    'import { fileURLToPath } from "node:url";',
    "const read = (url) => readFileSync(fileURLToPath(url));",
    'export const load = async (url, context, next) => url.endsWith("sum.mjs")',
    '  ? { format: "module", source: read(url), shortCircuit: true } : next(url, context);',
  ];
  put(nested, "loader.mjs", loader.join("\n"));
  put(nested, "register.mjs", 'import { register } from "node:module";\nregister("./loader.mjs", import.meta.url);\n');
  put(nested, "package.json", '{"scripts":{"test":"node --import ./register.mjs --test"}}');
  await trustAll(nested);
  expect(await run(nested)).toMatchObject(elsewhere);
  linkWorkspace(nested);
  expect(await run(nested)).toMatchObject({ status: "passed", origin: { from: "tree" } });
});

const vitestTest = (sums: string) =>
  `import { expect, test } from "vitest";\nimport { add } from "${sums}";\ntest("adds", () => expect(add(1, 1)).toBe(2));\n`;

test(
  "vitest in a workspace: the same",
  async () => {
    const { main, tree, run } = await withWorkTree({
      ...workspace,
      "package.json": '{"private":true,"workspaces":["packages/*"],"scripts":{"test":"vitest run"}}',
      "packages/shop/shop.test.js": vitestTest("sums"),
    });
    for (const root of [main, tree]) installPackages(root);
    const own = '{"name":"sums","main":"../../packages/sums/index.js"}';
    put(tree, "packages/shop/node_modules/sums/package.json", own);
    put(tree, "packages/shop/node_modules/sums/index.js", "");
    link(join(main, "packages/sums"), join(tree, "packages/shop/node_modules/linked"));
    put(tree, "packages/shop/shop.test.js", vitestTest("linked"));
    expect(await run(tree)).toMatchObject(elsewhere);
    put(tree, "packages/shop/shop.test.js", vitestTest("../sums/index.js"));
    expect(await run(tree)).toMatchObject({ status: "passed", origin: { from: "tree" } });
  },
  patienceMs,
);

describe.each([
  ["jest", 'const { add } = require("sums");\ntest("adds", () => expect(add(1, 1)).toBe(2));\n', "jest --maxWorkers=2"],
  [
    "mocha",
    'const { add } = require("sums");\nit("adds", () => require("assert").equal(add(1, 1), 2));\n',
    "mocha 'packages/**/*.test.js'",
  ],
])("%s in a workspace", (runner, shopTest, script) => {
  testWith(
    ["runners"],
    "the work tree's own packages are shown to be tested; those of another folder fail the run",
    async () => {
      const { main, tree, run } = await withWorkTree({
        ...workspace,
        "package.json": JSON.stringify({ private: true, workspaces: ["packages/*"], scripts: { test: script } }),
        "packages/shop/shop.test.js": shopTest,
        "packages/shop/again.test.js": shopTest,
      });
      for (const root of [main, tree]) {
        installPackages(root, preparedRunners);
        put(root, "packages/shop/node_modules/.keep", "");
        link(join(root, "packages/sums"), join(root, "packages/shop/node_modules/sums"));
      }
      expect(await run(tree)).toMatchObject({ runner, status: "passed", passed: 2, origin: { from: "tree" } });
      put(tree, "packages/sums/index.js", "exports.add = () => 3;\n");
      expect(await run(tree)).toMatchObject({ status: "failed", failed: 2, origin: { from: "tree" } });
      expect(await run(main)).toMatchObject({ status: "passed", origin: { from: "tree" } });
      remove(join(tree, "packages/shop/node_modules/sums"));
      link(join(main, "packages/sums"), join(tree, "packages/shop/node_modules/sums"));
      expect(await run(tree)).toMatchObject({ ...elsewhere, passed: 2 });
    },
    patienceMs,
  );
});

describe("a configured command", () => {
  test("that starts node:test shows what it loaded, and code of another work tree fails it", {
    timeout: patienceMs,
  }, async () => {
    const { main, tree, run, trustAll } = await withWorkTree({ ...workspace, ...configuredTest("npm", "test") });
    for (const root of [main, tree]) linkWorkspace(root);
    await trustAll(main);
    expect(await run(tree)).toMatchObject({ runner: "configured", status: "passed", origin: { from: "tree" } });
    remove(join(tree, "node_modules/sums"));
    link(join(main, "packages/sums"), join(tree, "node_modules/sums"));
    expect(await run(tree)).toMatchObject(elsewhere);
  });

  test("that starts vitest in the packages of a workspace shows what they loaded", async () => {
    const { main, run } = await withWorkTree({
      ...workspace,
      "packages/shop/package.json": '{"name":"shop","scripts":{"test":"vitest run"}}',
      "packages/shop/shop.test.js": vitestTest("../sums/index.js"),
      ...configuredTest("npm", "test", "--workspace", "packages/shop"),
    });
    installPackages(main);
    expect(await run(main)).toMatchObject({ status: "passed", origin: { from: "tree" } });
  });

  testWith(
    ["pytestCov"],
    "that starts pytest shows what it imported, and a run that cannot is unknown, with the reason",
    async () => {
      const { main, tree, run, trustAll } = await withWorkTree(
        {
          ".gitignore": ".forge\n",
          "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
          "src/shop/__init__.py": "ANSWER = 42\n",
          "tests/test_shop.py": "from shop import ANSWER\n\n\ndef test_answer():\n    assert ANSWER == 42\n",
          Makefile: "test:\n\tpython3 -B -m pytest -q\n",
          ...configuredTest("make", "test"),
        },
        debianFirst,
      );
      await trustAll(main);
      expect(await run(tree)).toMatchObject({ status: "passed", origin: { from: "tree" } });
      put(tree, "tests/conftest.py", `import sys\nsys.path.insert(0, ${JSON.stringify(`${main}/src`)})\n`);
      expect(await run(tree)).toMatchObject(elsewhere);
      remove(join(tree, "tests/conftest.py"));
      put(tree, "Makefile", "test:\n\tPYTHONPATH=src python3 -B -m pytest -q\n");
      await trustAll(tree);
      expect((await run(tree)).origin).toEqual({
        from: "unknown",
        why: "Where the tested code came from is unknown: pytest did not record what it imported.",
      });
    },
    patienceMs,
  );

  test("that starts no runner is unknown, which does not fail it; reading the sources is not testing them", async () => {
    const { project, run } = testingSandbox();
    const root = await project({
      "package.json": '{"scripts":{"test":"node lint.js"}}',
      "lint.js": 'require("node:fs").readFileSync("index.js");\n',
      "index.js": "\n",
      ...configuredTest("npm", "test"),
    });
    expect(await run(root)).toMatchObject({
      status: "passed",
      origin: { from: "unknown", why: expect.stringContaining("started no test runner that Forge knows") },
    });
  });
});
