import { expect, test } from "vitest";
import { splitPatch } from "./split-patch.ts";

test("a patch file by file, with what was added and removed", () => {
  const patch = [
    "diff --git a/src/a.js b/src/a.js",
    "index 1..2 100644",
    "--- a/src/a.js",
    "+++ b/src/a.js",
    "@@ -1,2 +1,2 @@",
    " same",
    "--- not a header",
    "+new",
    "diff --git a/b c.txt b/b c.txt",
    "new file mode 100644",
    "--- /dev/null",
    "+++ b/b c.txt",
    "@@ -0,0 +1 @@",
    "+x",
    "",
  ].join("\n");
  expect(splitPatch(patch)).toMatchObject([
    { path: "src/a.js", added: 1, removed: 1 },
    { path: "b c.txt", added: 1, removed: 0, lines: ["new file mode 100644", "@@ -0,0 +1 @@", "+x", ""] },
  ]);
  expect(splitPatch("")).toEqual([]);
});

test.each([
  ["a/README.md b/README.md", "README.md"],
  ["a/x b/README.md b/x b/README.md", "x b/README.md"],
  ["a/old.js b/new.js", "new.js"],
  ['"a/a\\nb\\"c.js" "b/a\\nb\\"c.js"', 'a\\nb\\"c.js'],
])("a file is shown under its own name: %s", (names, path) => {
  expect(splitPatch(`diff --git ${names}\n`)).toMatchObject([{ path }]);
});
