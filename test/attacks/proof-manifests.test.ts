import { expect, test } from "vitest";
import { ProofProject } from "../harness/rooms/proof/proof-project.ts";

/** As linters read their settings: after the mark that some editors write at the beginning of a file. */
const linter = [
  'const { readFileSync } = require("node:fs");',
  'const { eslintConfig = {}, eslintIgnore = [] } = JSON.parse(readFileSync("package.json", "utf8").replace(/^\\uFEFF/, ""));',
  'const isOn = eslintConfig.rules?.["no-var"] !== "off" && !eslintIgnore.includes("src");',
  'if (isOn && readFileSync("src/total.js", "utf8").includes("var ")) process.exit(1);',
].join("\n");
const manifest = (settings: Record<string, unknown>) =>
  JSON.stringify({ name: "shop", scripts: { test: "node --test", lint: "node tools/lint.cjs" }, ...settings });
const off = { eslintConfig: { rules: { "no-var": "off" } } };

test.each([
  ["as others are", manifest(off)],
  ["behind the mark of a byte order", `\uFEFF${manifest(off)}`],
  ["in more than git's answers are kept of", `${" ".repeat(1_500_000)}${manifest(off)}`],
  ["in a key for what is left out", manifest({ eslintIgnore: ["src"] })],
])("settings that the work adds to a package.json prove nothing: %s", async (_how, text) => {
  const project = await ProofProject.open({
    ".gitignore": ".forge/\n",
    "package.json": manifest({}),
    "tools/lint.cjs": linter,
    "src/total.js": "var total = 0;\n",
  });
  const ticket = await project.ticket("The code is clean");
  await project.do(["check", "add", ticket, "AC-1", "--command", "npm run lint"]);
  await project.change(ticket, { "package.json": text });
  expect(await project.json(["verify", ticket])).toMatchObject({
    criteria: [{ state: "unproven", checks: [{ changed: true }] }],
  });
});

/** It leaves out what ignore files name, and takes its rules from a file of its own. */
const ignoring = [
  'const { existsSync, readFileSync } = require("node:fs");',
  'const textOf = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");',
  'const isLeftOut = [".eslintignore", ".gitignore"].some((path) => textOf(path).split("\\n").includes("src"));',
  'const isOff = textOf("tslint.json").includes("off");',
  'if (!isLeftOut && !isOff && textOf("src/total.js").includes("var ")) process.exit(1);',
].join("\n");

test.each([
  ["an ignore file that is new", { ".eslintignore": "src\n" }, "unproven"],
  ["the settings of a linter", { "tslint.json": '{"no-var":"off"}' }, "unproven"],
  // Put back, it would show files that a build makes as changes. So it is only said.
  ["what git ignores", { ".gitignore": ".forge/\nsrc\n" }, "proven"],
])("so does what a linter leaves out: %s", async (_what, change, state) => {
  const project = await ProofProject.open({
    "package.json": manifest({}),
    "tools/lint.cjs": ignoring,
    "tslint.json": "{}",
    "src/total.js": "var total = 0;\n",
  });
  const ticket = await project.ticket("The code is clean");
  await project.do(["check", "add", ticket, "AC-1", "--command", "npm run lint"]);
  await project.change(ticket, change);
  expect(await project.json(["verify", ticket])).toMatchObject({ criteria: [{ state, checks: [{ changed: true }] }] });
});
