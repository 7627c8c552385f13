import { join } from "node:path";
import { expect, test } from "vitest";
import { link } from "../../../../../test/harness/commons/trust.ts";
import { makeDatedFolder } from "../../../../../test/harness/fs/dated-files.ts";
import { writeFiles } from "../../../../../test/harness/git/git.ts";
import { describeDoubt } from "../base-outcome.ts";
import { findCommittedPackages, findImportsOut, findLinksOut } from "./find-outside-code.ts";

test("a changed file that is a link out of the tree is not in the commit", () => {
  const [root, other] = [makeDatedFolder({ "src/a.js": 1 }), makeDatedFolder({ "b.js": 1 })];
  link(join(other, "b.js"), join(root, "src/out.js"));
  link("a.js", join(root, "src/in.js"));
  const links = findLinksOut(root, ["src/a.js", "src/out.js", "src/in.js", "src/gone.js"]);
  expect(links).toEqual(["src/out.js"]);
  expect(describeDoubt([], { links })).toContain("src/out.js is a link that leads out of the work tree");
  expect(describeDoubt([], {})).toBeUndefined();
});

test("packages that the work commits are in doubt, but not those that tests work on", () => {
  const inDoubt = ["test/node_modules/tinyassert/index.js", "Node_Modules/x/a.js", ".venv/lib/site-packages/x.py"];
  const packages = findCommittedPackages([
    ...inDoubt,
    "src/node_modules.js",
    "test/fixtures/a/node_modules/b/index.js",
  ]);
  expect(packages).toEqual(inDoubt);
  expect(describeDoubt([], { packages })).toBe(
    "test/node_modules/tinyassert/index.js and 2 more are in a folder for installed packages and part of the work. Take that out of the commit and verify.",
  );
});

test("a changed file that loads code from outside the tree is in doubt", () => {
  const around = makeDatedFolder({});
  const out = join(around, "out");
  const outside = {
    "src/absolute.js": `export { sum } from "${out}/sum.mjs";`,
    "src/url.ts": `const { sum } = await import("file://${out}/sum.mjs?1");`,
    "src/climbing.cjs": 'module.exports = require("../../out/sum");',
    "src/path.py": `import sys\nsys.path.insert(0, "${out}")\nimport sum\n`,
    "src/spec.py": `spec = spec_from_file_location("sum", "${out}/sum.mjs")\n`,
    "go.mod": "module a\nreplace example.org/sum => ../out\n",
    "quoted/go.mod": 'module a\nreplace example.org/sum => "..\\x2f../out" // one\n',
    "go.work": "go 1.22\nuse (\n\t.\n\t`../out`\n)\n",
    "spaces/go.work": `go 1.22\nreplace a =>${" ".repeat(30)}${out}\n`,
    "Cargo.toml": '[dependencies]\nsum = { path = "../out" }\n',
    "other/Cargo.toml": '[dependencies.sum]\n"path" = "../\\u002e./out"\n',
  };
  const inside = {
    // Root-relative, as bundlers read it, and code in the text of a test.
    "src/app.jsx": 'import logo from "/logo.svg";\nimport a from "../index.js";\nimport b from "..";\nimport "react";',
    "test/rule.test.js": "valid(\"import a from '../../../../gone/a'; import b from '../../'\");",
    "docs/conf.py": 'import os, sys\nsys.path.insert(0, os.path.abspath(".."))\n',
    "index.js": "",
    "more/go.mod": "module a // of /\nrequire b v1.0.0 // indirect\nreplace b => ../lib\n",
    "more/go.work": "use ../more\n",
  };
  const root = join(around, "tree");
  writeFiles(around, { "out/sum.mjs": "", "out/sum.js": "" });
  writeFiles(root, { ...outside, ...inside });
  const imports = findImportsOut(root, Object.keys({ ...inside, ...outside }));
  expect(imports.map(({ file }) => file)).toEqual(Object.keys(outside));
  expect(describeDoubt([], { imports })).toBe(
    `src/absolute.js loads ${out}/sum.mjs, which is outside the work tree, so what was checked is not in the commit.`,
  );
});
