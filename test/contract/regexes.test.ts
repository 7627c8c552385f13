import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allExpressions, expressionsIn, isSafe, readSafeExpressions, sourceFiles } from "./expressions.ts";

test("C14 the check itself finds a dangerous expression", () => {
  expect(expressionsIn("a.ts", "const a = /(a+)+$/;").map(isSafe)).toEqual([false]);
});

test("C14 no regular expression can be made to run away", () => {
  const safe = readSafeExpressions();
  const all = allExpressions();
  expect(all.size).toBeGreaterThan(10);
  const unchecked = [...all].flatMap(([hash, expression]) => (safe.has(hash) ? [] : [expression]));
  expect(unchecked.filter((expression) => !isSafe(expression))).toEqual([]);
}, 240_000);

test("C14 no expression is made of text that comes from outside", () => {
  // Those that are made: of colour codes, and of the patterns of a project's rules, which run in a thread with a deadline.
  const made = sourceFiles().filter((file) => /\bRegExp\(/.test(readFileSync(join("src", file), "utf8")));
  expect(made).toEqual(["platform/patterns/pattern-search.ts", "platform/terminal/style.ts"]);
});
