import { join } from "node:path";
import { expect, test } from "vitest";
import { link, put, trustSandbox } from "../../../test/harness/commons/trust.ts";
import { listCommandRunnables } from "../test-runs/project/configured-commands.ts";

const settings = (text: unknown) => ({ ".forge/workbench.json": JSON.stringify(text) });

test.each([
  [
    "a package script",
    { "package.json": '{"scripts":{"test":"vitest run --coverage"}}' },
    ["tests:vitest = vitest run --coverage"],
  ],
  ["a dependency", { "package.json": '{"devDependencies":{"jest":"^30"}}' }, ["tests:jest = jest"]],
  [
    "the settings of Jest in package.json, of its projects too",
    {
      "package.json": '{"devDependencies":{"jest":"^30"},"jest":{"projects":["packages/*"]},"mocha":{}}',
      "packages/cart/package.json": '{"jest":{"transform":{"a":"./t.js"}}}',
      "packages/till/package.json": "{}",
    },
    [
      "tests:jest = jest",
      'config:package.json [jest] = {"projects":["packages/*"]}',
      'config:packages/cart/package.json [jest] = {"transform":{"a":"./t.js"}}',
    ],
  ],
  ["Cargo", { "Cargo.toml": "" }, ["tests:cargo = cargo test"]],
  [
    "a wrapper",
    { "pom.xml": "", mvnw: "#!/bin/sh\n" },
    ["tests:maven = ./mvnw test", "script:mvnw = mvnw", "config:pom.xml = pom.xml"],
  ],
  [
    "pytest in an environment of its own",
    { "conftest.py": "", ".venv/bin/python": "" },
    ["tests:pytest = .venv/bin/python -m pytest"],
  ],
  [
    "pytest's configuration where it looks for it, and of shared files only the part for it",
    {
      "tests/unit/test_a.py": "",
      "tests/.pytest.ini": "[pytest]\n",
      "docs/pytest.ini": "[pytest]\n",
      "tox.ini": "[tox]\n",
      "setup.cfg": "[tool:pytest]\n",
      "pyproject.toml": '[project]\nname = "shop"\n[tool.pytest.ini_options]\naddopts = "-q"\n',
    },
    [
      "tests:pytest = python3 -m pytest",
      'config:pyproject.toml [tool.pytest] = {"ini_options":{"addopts":"-q"}}',
      "config:setup.cfg = setup.cfg",
      "config:tests/.pytest.ini = tests/.pytest.ini",
    ],
  ],
  [
    "the configuration of Vitest, of its projects, and files that the script names",
    {
      "package.json":
        '{"scripts":{"test":"NODE_OPTIONS=--import=./hooks/load.mjs vitest run --config ./ci.config.ts a.test.ts"}}',
      "vite.config.ts": "export default { test: { projects: ['packages/*'] } };\n",
      "ci.config.ts": "",
      "hooks/load.mjs": "",
      "a.test.ts": "",
      "packages/cart/package.json": "{}",
      "packages/cart/vitest.config.mts": "",
    },
    [
      "tests:vitest = vitest run --config ./ci.config.ts a.test.ts",
      "config:vite.config.ts = vite.config.ts",
      "config:packages/cart/vitest.config.mts = packages/cart/vitest.config.mts",
      "script:ci.config.ts = ci.config.ts",
      "script:hooks/load.mjs = hooks/load.mjs",
    ],
  ],
  [
    "what Node loads before the tests, not the tests",
    {
      "package.json": '{"scripts":{"test":"node --import ./test/setup.mjs -r tsx --test test/a.test.mjs"}}',
      "test/setup.mjs": "",
      "test/a.test.mjs": "",
    },
    [
      "tests:node:test = node --test --import ./test/setup.mjs -r tsx test/a.test.mjs",
      "script:test/setup.mjs = test/setup.mjs",
    ],
  ],
  [
    "Jest in another folder",
    { "package.json": '{"scripts":{"test":"jest --rootDir web"}}', "web/jest.config.cjs": "" },
    ["tests:jest = jest --rootDir web", "config:web/jest.config.cjs = web/jest.config.cjs"],
  ],
  [
    "Mocha's file, and one that it requires without its ending",
    { "package.json": '{"scripts":{"test":"mocha --require test/setup"}}', ".mocharc.yml": "", "test/setup.js": "" },
    [
      "tests:mocha = mocha --require test/setup",
      "config:.mocharc.yml = .mocharc.yml",
      "script:test/setup.js = test/setup.js",
    ],
  ],
  [
    "Cargo's own configuration",
    { "Cargo.toml": "", ".cargo/config.toml": "" },
    ["tests:cargo = cargo test", "config:.cargo/config.toml = .cargo/config.toml"],
  ],
  [
    "Gradle's builds",
    { "settings.gradle.kts": "", "app/build.gradle": "", "gradle.properties": "", "app/src/A.java": "" },
    [
      "tests:gradle = gradle test",
      "config:gradle.properties = gradle.properties",
      "config:settings.gradle.kts = settings.gradle.kts",
      "config:app/build.gradle = app/build.gradle",
    ],
  ],
  [
    "configured commands, with what they run",
    {
      ...settings({ testCommand: ["bash", "run.sh"], setupCommand: ["npm", "ci"] }),
      "run.sh": "exit\n",
      "package.json": '{"scripts":{"postinstall":"node x.js"}}',
      "Cargo.toml": "",
    },
    [
      "package.json:postinstall = sh -c node x.js",
      "workbench:testCommand = bash run.sh",
      "script:run.sh = run.sh",
      "workbench:setupCommand = npm ci",
    ],
  ],
  [
    "what npm runs on an installation, by whatever name of it",
    {
      ...settings({ testCommand: ["true"], setupCommand: ["npm", "inst"] }),
      "package.json":
        '{"scripts":{"prepublish":"node a.js","dependencies":"node b.js","pnpm:devPreinstall":"node c.js","lint":"node d.js"}}',
      "binding.gyp": "{}",
    },
    [
      "package.json:dependencies = sh -c node b.js",
      "package.json:lint = sh -c node d.js",
      "package.json:pnpm:devPreinstall = sh -c node c.js",
      "package.json:prepublish = sh -c node a.js",
      "workbench:testCommand = true",
      "workbench:setupCommand = npm inst",
      "config:binding.gyp = binding.gyp",
    ],
  ],
  [
    "files that a command names for a program that is no interpreter, or in code for a shell",
    {
      ...settings({
        testCommand: ["env", "HOOK=hooks/load.sh", "timeout", "60", "sh", "-c", "cd . && ./run.sh --all"],
        setupCommand: ["npx", "tsx", "tools/setup.ts"],
      }),
      "run.sh": "exit\n",
      "hooks/load.sh": "",
      "tools/setup.ts": "",
    },
    [
      "workbench:testCommand = env HOOK=hooks/load.sh timeout 60 sh -c cd . && ./run.sh --all",
      "script:hooks/load.sh = hooks/load.sh",
      "script:run.sh = run.sh",
      "workbench:setupCommand = npx tsx tools/setup.ts",
      "script:tools/setup.ts = tools/setup.ts",
    ],
  ],
  [
    "what a Makefile includes over several lines",
    {
      ...settings({ testCommand: ["make", "test"] }),
      Makefile: "include a.mk \\\n  sub/b.mk\ntest:\n",
      "a.mk": "",
      "sub/b.mk": "",
      test: "a file, not what is run",
    },
    [
      "workbench:testCommand = make test",
      "script:Makefile = Makefile",
      "script:a.mk = a.mk",
      "script:sub/b.mk = sub/b.mk",
    ],
  ],
  [
    "the makefiles that options name",
    {
      ...settings({ testCommand: ["make", "-kfci.mk", "--file=more.mk", "test"], setupCommand: ["make", "-C", "sub"] }),
      Makefile: "",
      "ci.mk": "",
      "more.mk": "",
      "sub/Makefile": "include x.mk\n",
      "sub/x.mk": "",
    },
    [
      "workbench:testCommand = make -kfci.mk --file=more.mk test",
      "script:ci.mk = ci.mk",
      "script:more.mk = more.mk",
      "workbench:setupCommand = make -C sub",
      "script:sub/Makefile = sub/Makefile",
      "script:sub/x.mk = sub/x.mk",
    ],
  ],
  ["nothing", { "README.md": "" }, []],
  ["settings that make no sense", { ...settings({ testCommand: "rm -rf /" }) }, []],
])("what would run tests is shown: %s", async (_name, files, expected) => {
  const { repository, state } = trustSandbox();
  const root = repository("shop", files as Record<string, string>);
  const { items } = await state(root);
  expect(
    items.map(({ id, runs }) => `${id} = ${runs}`).filter((item) => !/^(?:package\.json:test|completion:)/.test(item)),
  ).toEqual(expected);
});

test("the same thing found twice is one", async () => {
  const { repository, state } = trustSandbox();
  const root = repository("shop", { "package.json": '{"scripts":{"test":"jest"}}' });
  put(root, ".forge/workbench.json", '{"testCommand":["npm","test"]}');
  expect((await state(root)).items.map(({ id }) => id)).toEqual([
    "completion:npm test",
    "package.json:test",
    "workbench:testCommand",
  ]);
});

test("a script that another one runs is part of what is trusted", async () => {
  const { repository, trust, trustAll } = trustSandbox();
  const scripts = {
    test: "npm run unit && npm-run-all lint:*",
    unit: "node --test",
    preunit: "node build.js",
    "lint:js": "eslint .",
    other: "x",
  };
  const root = repository("shop", { "package.json": JSON.stringify({ scripts }) });
  await trustAll(root);
  const runnables = () => listCommandRunnables(root, "completion:npm test", ["npm", "test"]);
  await expect(trust.require(root, runnables())).resolves.toHaveLength(5);
  put(root, "package.json", JSON.stringify({ scripts: { ...scripts, other: "y" } }));
  await expect(trust.require(root, runnables())).resolves.toHaveLength(5);
  for (const changed of ["unit", "preunit", "lint:js"]) {
    put(root, "package.json", JSON.stringify({ scripts: { ...scripts, [changed]: "curl evil.example" } }));
    await expect(trust.require(root, runnables())).rejects.toMatchObject({
      code: "TRUST_REQUIRED",
      details: { missing: [`package.json:${changed}`] },
    });
  }
});

test("every script that a check may run can be trusted, however many there are", async () => {
  const { repository, state } = trustSandbox();
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`a${index}`, "x"]));
  const scripts = { ...many, a0: "npm run start & npm run zoo", start: "node .", zoo: "y" };
  const root = repository("shop", { "package.json": JSON.stringify({ scripts }) });
  const ids = (await state(root)).items.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(["package.json:a0", "package.json:start", "package.json:zoo"]));
});

test("what cannot be a file's name, and a link that leads to itself, are words like others", async () => {
  const { repository, state } = trustSandbox();
  const root = repository("shop", {});
  link("loop", join(root, "loop"));
  put(root, ".forge/workbench.json", JSON.stringify({ testCommand: ["sh", "-c", "x".repeat(300), "loop", "loop/a"] }));
  const { items, refused } = await state(root);
  expect(items.map(({ id }) => id)).toEqual(["workbench:testCommand"]);
  expect(refused).toMatchObject([{ id: "script:loop" }]);
});

test("a folder that a command names can be a link", async () => {
  const { repository, state } = trustSandbox();
  const root = repository("shop", { "src/tests/a_test.py": "" });
  put(root, ".forge/workbench.json", '{"testCommand":["pytest","tests"]}');
  link("src/tests", join(root, "tests"));
  const { items, refused } = await state(root);
  expect(items.map(({ id }) => id)).toContain("workbench:testCommand");
  expect(refused).toEqual([]);
});

test("an installation is trusted with each script that it runs; a script alone without them", () => {
  const { root } = trustSandbox();
  put(root, "package.json", '{"scripts":{"prepublish":"a","lint":"b"}}');
  put(root, "binding.gyp", "{}");
  const idsOf = (...words: string[]) => listCommandRunnables(root, "", words).map(({ id }) => id);
  for (const words of [
    ["npm", "ci"],
    ["npm", "inst"],
    ["npm", "--silent", "rebuild"],
    ["yarn"],
    ["sh", "-c", "pnpm i"],
  ])
    expect(idsOf(...words)).toEqual(expect.arrayContaining(["package.json:prepublish", "config:binding.gyp"]));
  expect(idsOf("npm", "run", "lint")).toEqual(["", "package.json:lint"]);
  expect(idsOf("npm", "exec", "x")).toEqual([""]);
});
