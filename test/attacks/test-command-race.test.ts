import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TestService } from "../../src/commons/test-runs/index.ts";
import { pinCommand } from "../../src/commons/test-runs/project/pinned-command.ts";
import type { Trust } from "../../src/commons/trust/index.ts";
import { configuredTest, makeProgram, testingSandbox } from "../harness/commons/testing.ts";

type SetUp = { command: string[]; file: string; good: string; evil: string; others?: Record<string, string> };

const shell = (word: string) => `#!/bin/sh\ncd "$(dirname "$0")" && echo ${word} > ${word}\n`;
const bash = (word: string) => `cd "$(dirname "\${BASH_SOURCE[0]}")" && echo ${word} > ${word}\n`;
const node = (word: string) =>
  `const { join } = require("node:path");\nif (require.main === module) require("node:fs").writeFileSync(join(__dirname, "${word}"), process.argv[2] ?? "");\n`;
const module = (word: string) =>
  `import { writeFileSync } from "node:fs";\nwriteFileSync(new URL("${word}", import.meta.url), "");\n`;
const python = (word: string) =>
  `import os, sys\nif __name__ == "__main__": open(os.path.join(os.path.dirname(__file__), "${word}"), "w").close()\n`;
const manifest = (word: string) =>
  JSON.stringify({ scripts: { pretest: "echo first", test: `echo ${word} > ${word}` } });
const configured = (word: string) =>
  JSON.stringify({ config: { word }, scripts: { test: "echo x > $npm_package_config_word" } });
const makefile = (word: string) =>
  `HERE := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))\ntest:\n\techo ${word} > $(HERE)${word}\n`;

function setUp(command: string[], file: string, text: (word: string) => string): SetUp {
  return { command, file, good: text("good"), evil: text("evil") };
}

const setUps: [name: string, setUp: SetUp][] = [
  ["a script", setUp(["./test.sh"], "test.sh", shell)],
  ["sh", setUp(["sh", "-e", "test.sh"], "test.sh", shell)],
  ["bash", setUp(["bash", "test.sh"], "test.sh", bash)],
  ["node", setUp(["node", "test.js", "x"], "test.js", node)],
  ["node, a module", setUp(["node", "--no-warnings", "test.mjs"], "test.mjs", module)],
  ["python", setUp(["python3", "test.py"], "test.py", python)],
  ["npm test", setUp(["npm", "test"], "package.json", manifest)],
  ["npm test with a variable", setUp(["npm", "test"], "package.json", configured)],
  ["pnpm run", setUp(["pnpm", "run", "test"], "package.json", manifest)],
  ["yarn", { ...setUp(["yarn", "test"], "package.json", manifest), others: { "yarn.lock": "# yarn lockfile v1\n" } }],
  ["bun run", setUp(["bun", "run", "test"], "package.json", manifest)],
  ["make", setUp(["make", "test"], "Makefile", makefile)],
  ["make -ffile", setUp(["make", "-fci.mk", "test"], "ci.mk", makefile)],
  [
    "make, an include that goes on in the next line",
    { ...setUp(["make", "test"], "b.mk", makefile), others: { Makefile: "include a.mk \\\n  b.mk\n", "a.mk": "" } },
  ],
];

test.each(setUps)(
  "F08 %s: what was checked is what runs, though another file is in its place by then",
  async (_name, { command, file, good, evil, others }) => {
    const sandbox = testingSandbox();
    const root = await sandbox.project({ ...configuredTest(...command), [file]: good, ...others });
    if (file === "test.sh") makeProgram(join(root, file), good);
    await sandbox.trustAll(root);
    const place = join(root, file);
    const swap = (text: string) => {
      writeFileSync(`${place}.new`, text, { mode: 0o755 });
      renameSync(`${place}.new`, place);
    };
    let checks = 0;
    // The racer: it is faster than anything between the check and the start, and hides what it did afterwards.
    const trust: Pick<Trust, "require"> = {
      async require(...args) {
        if (++checks > 2) swap(good);
        const pinned = await sandbox.trust.require(...args);
        if (checks === 2) swap(evil);
        return pinned;
      },
    };
    const { runs, environment } = sandbox;
    const service = new TestService({ trust, runs, treeHash: async () => undefined, environment });
    const request = { root, scope: "all", files: [], types: [], coverage: false, deadlineMs: 60_000 } as const;
    const { signal } = new AbortController();
    const outcome = await service.run({ ...request, signal, report: () => undefined });
    expect([outcome.status, outcome.output]).toEqual(["passed", expect.any(String)]);
    expect([existsSync(join(root, "good")), existsSync(join(root, "evil"))]).toEqual([true, false]);
    expect(readFileSync(place, "utf8")).toBe(good);
  },
);

test("F08 a variable that nobody allowed does not reach the tests, though the file asks for it by then", async () => {
  const sandbox = testingSandbox();
  const settings = (passEnvironment: string[]) => JSON.stringify({ testCommand: ["sh", "test.sh"], passEnvironment });
  const root = await sandbox.project({ "test.sh": 'echo "$OWN_TOKEN,$OTHER_TOKEN" > said\n' });
  const file = join(root, ".forge", "workbench.json");
  mkdirSync(join(root, ".forge"), { recursive: true });
  writeFileSync(file, settings(["OWN_TOKEN"]));
  await sandbox.trustAll(root);
  let checks = 0;
  const trust: Pick<Trust, "require"> = {
    async require(...args) {
      if (++checks > 2) writeFileSync(file, settings(["OWN_TOKEN"]));
      const pinned = await sandbox.trust.require(...args);
      if (checks === 2) writeFileSync(file, settings(["OWN_TOKEN", "OTHER_TOKEN"]));
      return pinned;
    },
  };
  const { runs } = sandbox;
  const environment = { ...sandbox.environment, OWN_TOKEN: "one", OTHER_TOKEN: "two" };
  const service = new TestService({ trust, runs, treeHash: async () => undefined, environment });
  const request = { root, scope: "all", files: [], types: [], coverage: false, deadlineMs: 60_000 } as const;
  await service.run({ ...request, signal: new AbortController().signal, report: () => undefined });
  expect(readFileSync(join(root, "said"), "utf8")).toBe("one,\n");
});

test("npm's variables are given to scripts as npm gives them, and those that decide what runs are bound", async () => {
  const { project, run } = testingSandbox();
  const variables =
    'echo "$npm_lifecycle_event $npm_package_name@$npm_package_version $npm_package_config_port" >> said';
  const manifest = {
    ...{ name: "@shop/cart", version: "1.2.3", config: { port: 8080 } },
    scripts: { pretest: variables, test: variables, posttest: 'node -p "process.env.npm_lifecycle_script" >> said' },
  };
  const write = (root: string, change: object) =>
    writeFileSync(join(root, "package.json"), JSON.stringify({ ...manifest, ...change }));
  const root = await project({ ...configuredTest("npm", "test"), "package.json": JSON.stringify(manifest) });
  expect(await run(root)).toMatchObject({ status: "passed" });
  expect(readFileSync(join(root, "said"), "utf8").split("\n")).toEqual([
    "pretest @shop/cart@1.2.3 8080",
    "test @shop/cart@1.2.3 8080",
    manifest.scripts.posttest,
    "",
  ]);
  write(root, { config: { port: "$(evil)" } });
  await expect(run(root)).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
  write(root, { version: "1.2.4" });
  await expect(run(root)).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
  write(root, { description: "New", engines: { node: ">=20" } });
  expect(await run(root)).toMatchObject({ status: "passed" });
});

test("an install script does not replace the installation", () => {
  const script = { id: "package.json:install", runs: "", sha256: "", command: ["sh", "-c", "node-gyp rebuild"] };
  const options = { root: "/project", folder: "/private", searchPath: undefined };
  expect(pinCommand(["npm", "install"], [script], options).words).toEqual(["npm", "install"]);
});

test("F08 a run during which what defines it changed shows nothing", async () => {
  const { project, run } = testingSandbox();
  const root = await project({ ...configuredTest("sh", "test.sh"), "test.sh": "echo 'exit 0 # changed' > test.sh\n" });
  await expect(run(root)).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
});

test("F08 every file that the command names is bound, also one that is loaded before the script", async () => {
  const { project, run } = testingSandbox();
  const root = await project({
    ...configuredTest("node", "--require", "./before.cjs", "test.js"),
    "before.cjs": "",
    "test.js": "",
  });
  expect(await run(root)).toMatchObject({ status: "passed" });
  for (const file of ["before.cjs", "test.js"]) {
    writeFileSync(join(root, file), "process.exit(3);\n");
    await expect(run(root), file).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
    writeFileSync(join(root, file), "");
  }
});

test.each([
  ["begins with a mark that npm skips", "package.json", "\ufeff"],
  ["has a comment", "package.json", "// Ours.\n"],
  ["is one of pnpm's others", "package.yaml", ""],
])("F08 scripts are bound, too, where the manifest %s", async (_what, file, start) => {
  const { project, run } = testingSandbox();
  const manifest = (word: string) => `${start}{"scripts":{"test":"echo ${word}","lint":"echo"}}\n`;
  const root = await project({ ...configuredTest("npm", "test"), [file]: manifest("good") });
  await run(root);
  writeFileSync(join(root, file), manifest("evil"));
  await expect(run(root)).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
});

test("F08 scripts that Forge had read ask again when their file is one that it cannot read", async () => {
  const { project, run } = testingSandbox();
  const manifest = JSON.stringify({ scripts: { test: "echo good" } });
  const root = await project({ ...configuredTest("npm", "test"), "package.json": manifest });
  expect(await run(root)).toMatchObject({ status: "passed" });
  for (const text of [manifest.replace("{", "{ // Ours.\n"), manifest.padEnd(5_000_000)]) {
    writeFileSync(join(root, "package.json"), text.replace("good", "evil"));
    await expect(run(root)).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
  }
  rmSync(join(root, "package.json"));
  writeFileSync(join(root, "package.yaml"), manifest);
  await expect(run(root)).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
});

test.each([
  [["npm", "--silent", "test"], "package.json"],
  [["npm", "run", "--silent", "test"], "package.json"],
  [["npm", "--prefix", "web", "test"], "web/package.json"],
  [["npm", "--prefix=web", "test"], "web/package.json"],
  [["yarn", "--cwd", "./web", "test"], "web/package.json"],
  [["env", "CI=1", "npm", "test"], "package.json"],
  [["sh", "-c", "cd web && npm test"], "web/package.json"],
  [["sh", "-c", "npm run x || (npm run test)"], "package.json"],
  [["node", "--run", "test"], "package.json"],
])("F08 scripts are bound, too, with options or other programs before their name: %j", async (command, file) => {
  const { project, run } = testingSandbox();
  const manifest = (word: string) => `{"scripts":{"test":"echo ${word}"}}\n`;
  const root = await project({ ...configuredTest(...command), "package.json": "{}", [file]: manifest("good") });
  await run(root).catch(() => undefined);
  writeFileSync(join(root, file), manifest("evil"));
  await expect(run(root)).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
});

test.each([
  [["env", "CI=1", "make", "test"], "Makefile", "test:\n\techo WORD\n"],
  [["/usr/bin/make", "test"], "Makefile", "test:\n\techo WORD\n"],
  [["bash", "-c", "make -f ci.mk test"], "ci.mk", "test:\n\techo WORD\n"],
  [["npm", "--silent", "test"], ".npmrc", "script-shell=./WORD\n"],
  [["yarn", "test"], ".yarnrc.yml", "yarnPath: ./WORD.cjs\n"],
  [["just", "test"], "justfile", "test:\n  echo WORD\n"],
])("F08 the file that defines what a command runs is bound: %j", async (command, file, text) => {
  const { project, run } = testingSandbox();
  const manifest = '{"scripts":{"test":"echo"}}';
  const root = await project({ ...configuredTest(...command), "package.json": manifest, [file]: text });
  await run(root).catch(() => undefined);
  writeFileSync(join(root, file), text.replace("WORD", "evil"));
  await expect(run(root)).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
});
