import { join } from "node:path";
import { expect, test } from "vitest";
import { link } from "../../../../../test/harness/commons/trust.ts";
import { makeDatedFolder } from "../../../../../test/harness/fs/dated-files.ts";
import { writeFiles } from "../../../../../test/harness/git/git.ts";
import { TestProject } from "../../../../commons/test-runs/project/test-project.ts";
import { describeDoubt } from "../base-outcome.ts";
import { findLinksOut } from "./check-files.ts";
import { findImported } from "./find-imported.ts";
import { listSupport } from "./list-support.ts";

async function imported(files: Record<string, string>, max = 500): Promise<string[] | undefined> {
  const root = makeDatedFolder({});
  writeFiles(root, files);
  const [test = ""] = Object.keys(files);
  const found = await findImported(new TestProject(root), test, max);
  return found && [...found].sort();
}

test("what a test imports is followed, through aliases, folders that are built and packages of Python", async () => {
  expect(
    await imported({
      "test/a.test.ts":
        'import { a } from "@/a";\nimport fs from "node:fs";\nimport "react";\nimport d from "../dist/d.js";\n',
      "src/a.ts": 'export { b } from "./b.js";\nimport data from "./data.json";\n',
      "src/b.ts": "",
      "src/data.json": "{}",
      "dist/d.js": "",
      "package.json": '{"dependencies":{"react":"1"}}',
      "tsconfig.json": '{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}',
    }),
  ).toEqual(["dist/d.js", "src/a.ts", "src/b.ts", "src/data.json", "test/a.test.ts"]);
  expect(
    await imported({
      "tests/test_a.py": "import os\nfrom app.models import User\n",
      "tests/conftest.py": "import pytest\n",
      "app/__init__.py": "",
      "app/models.py": "from . import base\n",
      "app/base.py": "",
    }),
  ).toEqual(["app/__init__.py", "app/base.py", "app/models.py", "tests/conftest.py", "tests/test_a.py"]);
});

test("where it cannot be told what a test uses, nothing is claimed to be known", async () => {
  const source = { "src/a.js": "", "package.json": "{}" };
  for (const text of [
    'import "~/a";',
    'import a from "./gone.js";',
    "const a = await import(path + name);",
    "require(name);",
    'import { spawnSync } from "node:child_process";',
  ])
    expect(await imported({ "test/a.test.js": text, ...source }), text).toBeUndefined();
  // Files of a package use each other without an import.
  expect(await imported({ "sum_test.go": 'import "testing"\n', "sum.go": "" })).toBeUndefined();
  expect(await imported({ "tests/sum.rs": "use shop::sum;\n", "src/lib.rs": "" })).toBeUndefined();
  expect(
    await imported({ "backend/tests/test_a.py": "from app.models import User\n", "backend/app/models.py": "" }),
  ).toBeUndefined();
  const many = Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`src/${at}.js`, ""]));
  const all = Object.keys(many).map((path) => `import "../${path}";`);
  expect(await imported({ "test/a.test.js": all.join("\n"), ...many }, 3)).toBeUndefined();
});

test("what a work changed of the files that a check uses is part of the check", () => {
  const root = makeDatedFolder({});
  writeFiles(root, { "package.json": '{"scripts":{"lint":"node tools/lint.mjs"}}' });
  const changed = [
    "src/a.js",
    "test/helper.js",
    "test/b.test.js",
    "test/data.json",
    "x/__snapshots__/a.snap",
    "conftest.py",
  ];
  const own = { type: "test", file: "test/a.test.js", name: "a" } as const;
  const data = ["test/data.json", "x/__snapshots__/a.snap", "conftest.py"];
  expect(listSupport(root, { how: own }, changed, new Set(["src/a.js"]))).toEqual(data);
  expect(listSupport(root, { how: own }, changed, new Set(["test/helper.js"]))).toEqual(["test/helper.js", ...data]);
  expect(listSupport(root, { how: own }, changed, undefined)).toEqual(["test/helper.js", ...data]);
  const lint = { type: "command", command: ["npm", "run", "lint"] } as const;
  const more = ["package.json", "tools/lint.mjs", ".eslintrc.json", "eslint.config.js", "tsconfig.json", "src/b.ts"];
  expect(listSupport(root, { how: { ...lint, command: [...lint.command] } }, more, undefined)).toEqual(
    more.slice(1, 5),
  );
});

test("a changed file that is a link out of the tree is not in the commit", () => {
  const [root, other] = [makeDatedFolder({ "src/a.js": 1 }), makeDatedFolder({ "b.js": 1 })];
  link(join(other, "b.js"), join(root, "src/out.js"));
  link("a.js", join(root, "src/in.js"));
  const links = findLinksOut(root, ["src/a.js", "src/out.js", "src/in.js", "src/gone.js"]);
  expect(links).toEqual(["src/out.js"]);
  expect(describeDoubt([], links)).toContain("src/out.js is a link that leads out of the work tree");
  expect(describeDoubt([], [])).toBeUndefined();
});
