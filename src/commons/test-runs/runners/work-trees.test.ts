import { expect, test } from "vitest";
import { installPackages, orderFor, testingSandbox } from "../../../../test/harness/commons/testing.ts";
import { put } from "../../../../test/harness/commons/trust.ts";
import { jest } from "./jest.ts";
import { mocha } from "./mocha.ts";
import { pytest } from "./pytest.ts";

const another = ".forge/worktrees/one";

test("Node's runner leaves out the tests of Forge's work trees, and takes all that it takes by itself", async () => {
  const { run, project } = testingSandbox();
  const root = await project({
    "package.json": '{"scripts":{"test":"node --test"}}',
    "x.test.js": 'require("node:test")("x", () => {});\n',
    "dist/y-test.mjs": 'import test from "node:test";\ntest("y", () => {});\n',
    ".tools/test/z.cjs": 'require("node:test")("z", () => {});\n',
    "not-a-spec.js": "throw new Error();\n",
  });
  expect(await run(root)).toMatchObject({ status: "passed", total: 3 });
  put(root, `${another}/x.test.js`, "throw new Error();\n");
  expect(await run(root)).toMatchObject({ status: "passed", total: 3 });
  const bare = await project({ "package.json": '{"scripts":{"test":"node --test"}}' }, "bare");
  put(bare, `${another}/x.test.js`, "throw new Error();\n");
  expect(await run(bare)).toMatchObject({ status: "passed", total: 0 });
});

test("so does vitest", async () => {
  const { run, project } = testingSandbox();
  const passing = 'import { test } from "vitest";\ntest("x", () => {});\n';
  const root = await project({ "package.json": '{"scripts":{"test":"vitest run"}}', "x.test.js": passing });
  installPackages(root);
  put(root, `${another}/y.test.js`, "throw new Error();\n");
  expect(await run(root)).toMatchObject({ status: "passed", total: 1 });
});

test("the others are told to", async () => {
  const { project } = testingSandbox();
  const root = await project({ "package.json": '{"jest":{"modulePathIgnorePatterns":["/fixtures/"]}}' });
  const words = async () => {
    const order = orderFor(root, root);
    return (await Promise.all([jest, mocha, pytest].map((runner) => runner.words(order)))).flatMap(
      (said) => said.words,
    );
  };
  expect((await words()).join(" ")).not.toMatch(/ignore/i);
  put(root, `${another}/y.test.js`, "");
  expect(await words()).toEqual(
    expect.arrayContaining([
      "--modulePathIgnorePatterns=<rootDir>/\\.forge/",
      "--modulePathIgnorePatterns=/fixtures/",
      "--ignore=.forge/**",
      "--ignore=./.forge/**",
      "--ignore=.forge",
    ]),
  );
});
