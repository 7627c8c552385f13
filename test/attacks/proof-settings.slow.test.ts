import { expect, test } from "vitest";
import { installPackages, preparedRunners } from "../harness/commons/testing.ts";
import { testWith } from "../harness/faults/faults.ts";
import { ProofProject } from "../harness/rooms/proof/proof-project.ts";

const manifest = (jest: Record<string, unknown>) =>
  JSON.stringify({ name: "shop", devDependencies: { jest: "^30" }, jest });
const sumTest = 'const sum = require("../src/sum.js");\ntest("adds", () => expect(sum(2, 2)).toBe(4));\n';
const fake = "module.exports = () => 4;\n";

testWith(
  ["runners"],
  "settings in package.json, and what they load, are put back and marked",
  async () => {
    const project = await ProofProject.open({
      ".gitignore": ".forge/\nnode_modules\n",
      ".forge/workbench.json": JSON.stringify({
        setupCommand: ["ln", "-s", `${preparedRunners}/node_modules`, "node_modules"],
      }),
      "package.json": manifest({ transform: { "\\.js$": "<rootDir>/tools/plain" } }),
      "tools/plain.js": "exports.process = (code) => ({ code });\n",
      "src/sum.js": "module.exports = (a, b) => a - b;\n",
      "test/sum.test.js": sumTest,
      "test/other.test.js": 'test("b", () => undefined);\n',
    });
    installPackages(project.root, preparedRunners);
    const mapped = await project.ticket();
    await project.do(["check", "add", mapped, "AC-1", "--test", "test/sum.test.js::adds"]);
    await project.change(mapped, {
      "src/fake.js": fake,
      "package.json": manifest({
        transform: { "\\.js$": "<rootDir>/tools/plain" },
        moduleNameMapper: { "src/sum.js$": "<rootDir>/src/fake.js" },
      }),
    });
    // Trust is asked for what was changed.
    expect((await project.run(["verify", mapped])).err).toContain("trust");
    await project.do("trust --yes");
    const weakened = { state: "unproven", checks: [{ changed: true }] };
    expect(await project.json(["verify", mapped])).toMatchObject({ criteria: [weakened] });
    project.git("revert", "--no-edit", "HEAD");
    await project.do("trust --yes");
    const transformed = await project.ticket();
    await project.do(["check", "add", transformed, "AC-1", "--test", "test/sum.test.js::adds"]);
    await project.change(transformed, {
      "tools/plain.js": `exports.process = (code, file) => ({ code: file.endsWith("sum.js") ? ${JSON.stringify(fake)} : code });\n`,
    });
    expect(await project.json(["verify", transformed])).toMatchObject({ criteria: [weakened] });
  },
  120_000,
);

test("a file of a test's folder is put back, also one with the name of a secret", async () => {
  const sum = (operator: string) => `module.exports = (a, b) => a ${operator} b;\n`;
  const project = await ProofProject.open({
    ".gitignore": ".forge/\n",
    "package.json": JSON.stringify({ name: "shop", scripts: { test: "node --test" } }),
    "src/sum.js": sum("-"),
    "test/.env.test": "SUM=4\n",
    "test/sum.test.js": [
      'const assert = require("node:assert");',
      'const [, wanted] = require("node:fs").readFileSync("test/.env.test", "utf8").trim().split("=");',
      'require("node:test")("adds", () => assert.equal(require("../src/sum.js")(2, 2), Number(wanted)));',
    ].join("\n"),
  });
  await project.do("trust --yes");
  const ticket = await project.ticket();
  await project.do(["check", "add", ticket, "AC-1", "--test", "test/sum.test.js::adds"]);
  await project.change(ticket, { "src/sum.js": sum("*0+"), "test/.env.test": "SUM=2\n" });
  const weakened = { state: "unproven", checks: [{ changed: true }] };
  expect(await project.json(["verify", ticket])).toMatchObject({ criteria: [weakened] });
});

test("what the test script preloads, and data that a test compares with, are put back wherever they are", async () => {
  const preloaded =
    'const { _extensions: load } = require("node:module");\nconst js = load[".js"];\n' +
    'load[".js"] = (module, file) => file.endsWith("sum.js") ? module._compile("module.exports = () => 4", file) : js(module, file);\n';
  const project = await ProofProject.open({
    "package.json": JSON.stringify({ name: "shop", scripts: { test: "node -r ./tools/setup --test" } }),
    "tools/setup.js": 'process.env.TZ = "UTC";\n',
    "src/sum.js": "module.exports = (a, b) => a - b;\n",
    "src/sum.cases.json": "[2, 2, 4]",
    "src/sum.test.js": [
      'const [a, b, wanted] = JSON.parse(require("node:fs").readFileSync("src/sum.cases.json", "utf8"));',
      'require("node:test")("adds", () => require("node:assert").equal(require("./sum.js")(a, b), wanted));',
    ].join("\n"),
    "test/other.test.js": "",
  });
  const weakened = { state: "unproven", checks: [{ changed: true }] };
  for (const change of [{ "src/sum.cases.json": "[2, 2, 0]" }, { "tools/setup.js": preloaded }]) {
    const id = await project.ticket();
    await project.do(["check", "add", id, "AC-1", "--test", "src/sum.test.js::adds"]);
    await project.change(id, change);
    await project.do("trust --yes");
    expect(await project.json(["verify", id])).toMatchObject({ criteria: [weakened] });
    project.git("revert", "--no-edit", "HEAD");
    await project.do("trust --yes");
  }
});
