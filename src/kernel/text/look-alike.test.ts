import { expect, test } from "vitest";
import { findLookAlikes } from "./look-alike.ts";

test.each([
  ["letter case", "src/Main.ts", "src/main.ts"],
  ["composed and not", "caf\u00e9.md", "cafe\u0301.md"],
  ["a zero-width space", "main\u200b.ts", "main.ts"],
  ["another script", "m\u0430in.ts", "main.ts"],
])("names that differ only in %s are found", (_what, added, known) => {
  expect(findLookAlikes([added], [known])).toEqual([[added, known]]);
  expect(findLookAlikes([added, known], [])).toHaveLength(1);
});

test("other names, and the same name, are not", () => {
  expect(findLookAlikes(["src/a.ts", "src/b.ts"], ["src/a.ts", "lib/a.ts"])).toEqual([]);
});
