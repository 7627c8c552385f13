import { expect, test } from "vitest";
import { put, trustSandbox } from "../../../test/harness/commons/trust.ts";

const settings = (text: unknown) => ({ ".forge/workbench.json": JSON.stringify(text) });

test.each([
  [
    "a package script",
    { "package.json": '{"scripts":{"test":"vitest run --coverage"}}' },
    ["tests:vitest = vitest run --coverage"],
  ],
  ["a dependency", { "package.json": '{"devDependencies":{"jest":"^30"}}' }, ["tests:jest = jest"]],
  ["Cargo", { "Cargo.toml": "" }, ["tests:cargo = cargo test"]],
  ["a wrapper", { "pom.xml": "", mvnw: "#!/bin/sh\n" }, ["tests:maven = ./mvnw test", "script:mvnw = mvnw"]],
  [
    "pytest in an environment of its own",
    { "conftest.py": "", ".venv/bin/python": "" },
    ["tests:pytest = .venv/bin/python -m pytest"],
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
