import { expect, test } from "vitest";
import { listOtherNames } from "./other-names.ts";

const rules = { path: ".cursor/rules", target: "docs/rules" };

test("a file has the names of all links that lead to it, over others too", () => {
  const links = [{ path: "d", target: "docs" }, { path: ".claude/rules", target: "d/rules" }, rules];
  expect(listOtherNames("docs/rules/a.md", links)).toEqual([
    "d/rules/a.md",
    ".cursor/rules/a.md",
    ".claude/rules/a.md",
  ]);
  expect(listOtherNames("src/a.ts", links)).toEqual([]);
});

test("many links do not hide one, and a folder that contains itself ends", () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ path: `!${index}`, target: "docs" }));
  expect(listOtherNames("docs/rules/a.md", [...many(200), rules])).toContain(".cursor/rules/a.md");
  expect(listOtherNames("docs/rules/a.md", [...many(5_000), rules])).toContain(".cursor/rules");
  const self = { path: "docs/self", target: "." };
  expect(listOtherNames("docs/rules/a.md", [self, rules])).toContain(".cursor/rules/a.md");
  expect(listOtherNames("README.md", [self])).toEqual(["docs/self/README.md"]);
});
