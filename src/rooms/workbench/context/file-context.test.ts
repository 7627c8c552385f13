import { expect, it } from "vitest";
import { projectOf } from "../../../../test/harness/rooms/workbench/workbench-project.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { readFileContext } from "./file-context.ts";

const { signal } = new AbortController();

type Project = ReturnType<typeof projectOf>;

async function contextOf({ folder, git }: Project, path: string) {
  const root = SafeRoot.at(folder);
  const { text } = await root.readText(path);
  return readFileContext(root, path, text, { signal, repository: { git, path: folder } });
}

const files = {
  "src/sum.ts":
    'import { readFile } from "node:fs/promises";\nimport {\n  one,\n  two,\n} from "./numbers.ts";\n\nexport const sum = 1;\nexport default class Adder {}\nexport { one, two as deux };\n',
  "src/numbers.ts": "export const one = 1;\n",
  "src/use.ts": 'import { sum } from "./sum.js";\n',
  "src/deep/other.ts": 'const { sum } = await import("../sum.ts");\n',
  "src/not.ts": '// import { sum } from "./sum.ts";\n',
  "src/sum.test.ts": 'import { sum } from "./sum.ts";\n',
  "spec/checks.spec.ts": 'import { sum } from "../src/sum.ts";\n',
};

it("tells what a file imports and exports, who imports it, its tests and its last commit", async () => {
  const project = projectOf(files);
  project.put("src/numbers.ts", "export const one = 2;\n");
  project.run("commit", "--quiet", "--all", "--message", "second\n\nbody");
  expect(await contextOf(project, "src/sum.ts")).toEqual({
    language: "typescript",
    imports: ["node:fs/promises", "./numbers.ts"],
    exported: ["sum", "Adder", "one", "deux"],
    imported_by: ["src/sum.test.ts", "src/use.ts", "src/deep/other.ts", "spec/checks.spec.ts"],
    tests: ["src/sum.test.ts", "spec/checks.spec.ts"],
    last_commit: {
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      author: "Ada",
      date: expect.stringMatching(/^\d{4}-/),
      subject: "first",
    },
  });
  expect((await contextOf(project, "src/numbers.ts")).last_commit?.subject).toBe("second");
});

it("knows no commit of a file that is new", async () => {
  const project = projectOf(files);
  project.put("src/new.ts", "export const a = 1;\n");
  expect(await contextOf(project, "src/new.ts")).not.toHaveProperty("last_commit");
});

it("works without git", async () => {
  const project = projectOf(files);
  const found = await readFileContext(SafeRoot.at(project.folder), "src/sum.ts", files["src/sum.ts"], { signal });
  expect(found.imported_by).toContain("src/use.ts");
  expect(found).not.toHaveProperty("last_commit");
});

it("follows the modules of Rust, Python and Go", async () => {
  const project = projectOf({
    "src/main.rs": "mod db;\nuse crate::db::pool;\n",
    "src/db/mod.rs": "pub mod pool;\npub fn open() {}\nfn hidden() {}\n",
    "src/db/pool.rs": "use super::open;\npub(crate) struct Pool;\npub struct Open;\n",
    "app/models.py": "class User:\n    pass\n\ndef _hidden(): ...\n",
    "app/views.py": "from app.models import User\n",
    "tests/test_models.py": "from app import models\n",
    "go.mod": "module example.org/x\n",
    "money/price.go": "package money\n\nfunc Price() {}\nfunc hidden() {}\n",
    "money/price_test.go": "package money\n",
    "main.go": 'package main\n\nimport "example.org/x/money"\n',
  });
  expect(await contextOf(project, "src/db/pool.rs")).toMatchObject({
    exported: ["Open"],
    imported_by: ["src/db/mod.rs", "src/main.rs"],
  });
  expect(await contextOf(project, "app/models.py")).toMatchObject({
    exported: ["User"],
    imported_by: ["app/views.py", "tests/test_models.py"],
    tests: ["tests/test_models.py"],
  });
  expect(await contextOf(project, "money/price.go")).toMatchObject({
    exported: ["Price"],
    imported_by: ["main.go"],
    tests: ["money/price_test.go"],
  });
});

it("names every file that imports it, or says how many more there are", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`far/f${index}.js`, 'import "../near/a.js";\n']),
  );
  const project = projectOf({ ...many, "near/a.js": "", "near/b.js": 'require("./a");\n' });
  const found = await contextOf(project, "near/a.js");
  expect(found.imported_by[0]).toBe("near/b.js");
  expect(found).toMatchObject({ imported_by_omitted: 301 - found.imported_by.length });
  expect(found).not.toHaveProperty("imported_by_incomplete");
});

it("finds an importer behind more files than used to be read", async () => {
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`lib/a${index}.ts`, "export {};\n"]));
  const project = projectOf({
    ...many,
    "lib/sum.ts": "export const a = 1;\n",
    "z/far/use.ts": 'import "../../lib/sum";\n',
  });
  expect((await contextOf(project, "lib/sum.ts")).imported_by).toEqual(["z/far/use.ts"]);
});

it("says so if imports by an alias may be of the file, or files could not be read", async () => {
  const project = projectOf({
    "src/sum.ts": "export const sum = 1;\n",
    "src/a.ts": 'import { sum } from "@/sum";\nimport other from "other/thing";\n',
    "src/b.ts": `import "./sum";\n// ${"x".repeat(400_000)}\n`,
    "app/models.py": "",
    "web/views.py": "from shop.app.models import User\nimport os.models\n",
  });
  expect(await contextOf(project, "src/sum.ts")).toMatchObject({
    imported_by: [],
    imported_by_incomplete: "1 file was not read; an import in src/a.ts could not be resolved and may be of this file",
  });
  expect(await contextOf(project, "app/models.py")).toMatchObject({
    imported_by_incomplete: "an import in web/views.py could not be resolved and may be of this file",
  });
});

it("knows who imports a file by a path alias or by the name of the workspace's package", async () => {
  const project = projectOf({
    "package.json": '{"name": "shop", "private": true, "workspaces": ["packages/*"]}',
    "tsconfig.json": '{ "compilerOptions": { "paths": { "~/*": ["./packages/core/src/*"] } } } // all',
    "packages/core/package.json": '{"name": "@shop/core", "main": "dist/index.js"}',
    "packages/core/src/index.ts": 'export * from "./cart.ts";\n',
    "packages/core/src/cart.ts": "export const cart = 1;\n",
    "packages/web/package.json": '{"name": "@shop/web"}',
    "packages/web/page.ts": 'import { cart } from "@shop/core";\n',
    "packages/web/side.ts": 'import { cart } from "~/cart";\n',
  });
  expect(await contextOf(project, "packages/core/src/index.ts")).toMatchObject({
    imported_by: ["packages/web/page.ts"],
  });
  const cart = await contextOf(project, "packages/core/src/cart.ts");
  expect(cart.imported_by).toEqual(["packages/core/src/index.ts", "packages/web/side.ts"]);
  expect(cart).not.toHaveProperty("imported_by_incomplete");
});

it("shows text that hides as what it is", async () => {
  const project = projectOf({ "a.js": 'import "x\u202ey";\n' });
  expect((await contextOf(project, "a.js")).imports).toEqual(["x\\u202ey"]);
});
