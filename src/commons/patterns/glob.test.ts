import { describe, expect, it, test } from "vitest";
import { compileGlob } from "./glob.ts";

async function matches(glob: string, path: string, options = {}): Promise<boolean> {
  const compiled = await compileGlob(glob, options);
  if (typeof compiled === "string") throw new Error(compiled);
  return compiled(path);
}

describe("a pattern for files anywhere", () => {
  it.each<[glob: string, path: string, fits: boolean]>([
    ["*.ts", "src/a.ts", true],
    ["*.ts", "a.tsx", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/b/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/b/c/a.ts", true],
    ["**/test/**", "a/test/b", true],
    ["src/**", "srcs/a", false],
    ["*.{js,ts}", "x/a.js", true],
    ["{src,lib}/**", "lib/a", true],
    ["a?c", "abc", true],
    ["a?c", "a/c", false],
    ["[a-c]x", "bx", true],
    ["[!a-c]x", "bx", false],
    ["./src/*", "src/a", true],
    ["a\\*", "a*", true],
    ["line\nbreak*", "d/line\nbreak.txt", true],
    ["src/{a,b}/**", "src/b/c", true],
    ["{src/**,lib/**}", "lib/a/b", true],
    ["a**b", "a/b", false],
    ["**", "a/b", true],
    ["*.[tj]s", "a/b.js", true],
    ["[!/]", "/", false],
    ["a.b", "axb", false],
    ["(a|b)", "a", false],
    ["ä*", "äö", true],
  ])("%s and %j: %s", async (glob, path, fits) => {
    expect(await matches(glob, path, { matchNames: true })).toBe(fits);
  });

  it.each(["[a", "{a", "a\\", `${"{".repeat(12)}`, "[b-a]"])("%s is not valid", async (glob) => {
    expect(await compileGlob(glob)).toEqual(expect.any(String));
  });

  it("is not slowed by many stars", async () => {
    expect(await matches(`${"*a".repeat(100)}b`, "a".repeat(4_000))).toBe(false);
  });
});

test.each([
  ["test/a.js", "test/*.js", true],
  ["test/b/a.js", "test/*.js", false],
  ["test/b/c/a.js", "test/**/*.js", true],
  ["test/a.js", "test/**/*.js", true],
  ["a.test.mjs", "./*.test.{js,mjs}", true],
  ["b/a.test.mjs", "*.test.mjs", false],
  ["a.test.ts", "*.test.?js", false],
  ["x", "{a,{b,x}}", true],
  [`${"a".repeat(5_000)}b`, `${"*a".repeat(500)}c`, false],
])("a pattern of a command line, from the current folder (%#)", async (path, pattern, fits) => {
  expect(await matches(pattern, path)).toBe(fits);
});
