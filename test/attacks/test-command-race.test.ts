import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TestService } from "../../src/commons/test-runs/index.ts";
import type { Trust } from "../../src/commons/trust/index.ts";
import { configuredTest, makeProgram, testingSandbox } from "../harness/commons/testing.ts";

type SetUp = { command: string[]; file: string; good: string; evil: string };

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
  ["make", setUp(["make", "test"], "Makefile", makefile)],
];

test.each(setUps)(
  "F08 %s: what was checked is what runs, though another file is in its place by then",
  async (_name, { command, file, good, evil }) => {
    const sandbox = testingSandbox();
    const root = await sandbox.project({ ...configuredTest(...command), [file]: good });
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
