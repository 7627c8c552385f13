import { expect, test } from "vitest";
import { makeDatedFolder } from "../../../../../test/harness/fs/dated-files.ts";
import { writeFiles } from "../../../../../test/harness/git/git.ts";
import { TestProject } from "../../../../commons/test-runs/project/test-project.ts";
import { findImported } from "./find-imported.ts";

async function imported(files: Record<string, string>, max = 500): Promise<string[] | undefined> {
  const root = makeDatedFolder({});
  writeFiles(root, files);
  const [test = ""] = Object.keys(files);
  const found = await findImported(new TestProject(root), test, max);
  return found && [...found.keys()].sort();
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
  // The one that counts may be among those that are left out.
  const paths = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`x${at}/*`, ["./src/*"]]));
  const aliases = JSON.stringify({ compilerOptions: { paths: { ...paths, react: ["./src/a.js"] } } });
  const own = { "package.json": '{"dependencies":{"react":"1"}}', "tsconfig.json": aliases };
  expect(await imported({ "test/a.test.js": 'import "react";', "src/a.js": "", ...own })).toBeUndefined();
  const many = Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`src/${at}.js`, ""]));
  const all = Object.keys(many).map((path) => `import "../${path}";`);
  expect(await imported({ "test/a.test.js": all.join("\n"), ...many }, 3)).toBeUndefined();
});
