import { expect, test } from "vitest";
import { explainFailure } from "./explain-failure.ts";

const explain = (message: string, file?: string) =>
  explainFailure({ name: "exit code 1", message, ...(file !== undefined && { file }) }, "/p");

const rust = `   Compiling shop v0.1.0 (/p)
error[E0412]: cannot find type \`User\` in this scope
  --> src/auth.rs:23:15
   |
23 | fn login(user: User) {}
   |                ^^^^ not found in this scope
   |
help: consider importing this struct
   |
1  + use crate::models::User;
   |

error[E0433]: failed to resolve: use of unresolved module or unlinked crate \`serde\`
 --> src/lib.rs:1:5

error: aborting due to 2 previous errors
error: could not compile \`shop\` (lib) due to 2 previous errors`;

test("rustc: the specification's own case, with what to import; a crate that is missing", () => {
  expect(explain(rust)).toEqual([
    {
      name: "E0412",
      file: "src/auth.rs",
      line: 23,
      message: "cannot find type `User` in this scope",
      type: "compile_error",
      suggestion: "consider importing this struct: `use crate::models::User;`",
    },
    expect.objectContaining({
      file: "src/lib.rs",
      line: 1,
      type: "missing_dependency",
      suggestion: expect.stringContaining("cargo add serde"),
    }),
  ]);
});

test.each([
  "[INFO] Scanning for projects...\n[ERROR] Failed to execute goal on project app: Could not resolve dependencies for project shop:app:jar:1",
  "[ERROR] Plugin a:b:3.3.0 or one of its dependencies could not be resolved: Could not transfer artifact a:b:pom:3.3.0",
  "* What went wrong:\n> Could not resolve all files for configuration ':testCompileClasspath'.",
])("a package that cannot be had: %s", (message) => {
  expect(explain(message)).toEqual([
    expect.objectContaining({ type: "missing_dependency", suggestion: expect.stringContaining("can be reached") }),
  ]);
});

test.each([
  ["src/a.ts(3,5): error TS2304: Cannot find name 'User'.", { file: "src/a.ts", line: 3, type: "compile_error" }],
  [
    "src/a.ts:3:5 - error TS2552: Cannot find name 'usr'. Did you mean 'user'?",
    { file: "src/a.ts", line: 3, suggestion: "Use user." },
  ],
  [
    "src/a.ts(1,20): error TS2307: Cannot find module '@x/y/z' or its corresponding type declarations.",
    { line: 1, type: "missing_dependency", suggestion: expect.stringContaining("Install @x/y in") },
  ],
  ["# example.org/shop\n./sums.go:3:9: undefined: Foo", { file: "sums.go", line: 3, message: "undefined: Foo" }],
  [
    "sub/a.go:4:2: no required module provides package github.com/x/y; to add it:",
    {
      file: "sub/a.go",
      line: 4,
      type: "missing_dependency",
      suggestion: expect.stringContaining("go get github.com/x/y"),
    },
  ],
  [
    "[ERROR] /p/src/main/java/App.java:[5,9] cannot find symbol\n[ERROR]   symbol:   class User\n[ERROR]   location: class App",
    { file: "src/main/java/App.java", line: 5, message: "cannot find symbol: class User", type: "compile_error" },
  ],
  ["App.java:5: error: package org.foo does not exist", { file: "App.java", line: 5, type: "missing_dependency" }],
])("compilers: %s", (text, expected) => {
  expect(explain(text)).toEqual([expect.objectContaining(expected)]);
});

test.each([
  [
    "Error: Test timed out in 5000ms.\nIf this is a long-running test…\n    at /p/a.test.ts:3:1",
    { type: "timeout", line: 3 },
  ],
  ['thrown: "Exceeded timeout of 5000 ms for a test.', { type: "timeout" }],
  ["Error: Timeout of 2000ms exceeded. For async tests…", { type: "timeout" }],
  [
    "Error: Cannot find package 'left-pad' imported from /p/a.test.ts",
    { type: "missing_dependency", file: "a.test.ts" },
  ],
  [
    "Error: Cannot find module './missing.js'\nRequire stack:\n- /p/a.test.ts\n    at x (/p/a.test.ts:2:11)",
    { type: "compile_error", file: "a.test.ts", line: 2 },
  ],
  ['Failed to resolve import "nope" from "a.test.ts". Does the file exist?', { type: "missing_dependency" }],
  [
    "E   ModuleNotFoundError: No module named 'nope'",
    { type: "missing_dependency", suggestion: expect.stringContaining("nope") },
  ],
  ['E     File "/p/a.test.ts", line 3\nE   SyntaxError: invalid syntax', { type: "compile_error" }],
  ["AssertionError: expected 1 to be 2", { type: "test_failure" }],
])("tests: %s", (message, expected) => {
  expect(explain(message, "a.test.ts")).toEqual([expect.objectContaining(expected)]);
});

test("pytest that cannot load its conftest names the file", () => {
  const said =
    "ImportError while loading conftest '/p/tests/conftest.py'.\ntests/conftest.py:7: in <module>\n    from shop import x\nsrc/shop/__init__.py:10: in <module>\nE   ImportError: cannot import name 'x' from 'shop.core'";
  expect(explain(said)).toEqual([
    expect.objectContaining({ type: "compile_error", file: "src/shop/__init__.py", line: 10 }),
  ]);
});

test("a panic keeps its place in the project", () => {
  const go =
    "panic: runtime error: index out of range [1]\n\ngoroutine 6 [running]:\ntesting.tRunner.func1.2()\n\t/usr/lib/go/src/testing/testing.go:1396 +0x24e\nexample.org/shop.Sum(...)\n\t/p/sums.go:7\n";
  expect(explain(go)).toEqual([expect.objectContaining({ type: "panic", file: "sums.go", line: 7 })]);
});
