import { expect, test } from "vitest";
import { parseYamlDocument } from "./parse-yaml.ts";

test("a document keeps its comments and its order through a change", () => {
  const { document } = parseYamlDocument("# stack of the project\nb: 1\na: 2 # two\n");
  document.set("b", 3);
  expect(String(document)).toBe("# stack of the project\nb: 3\na: 2 # two\n");
});

test.each(["a: [", "a: 1\na: 2\n", "x: !!js/function 1\n"])("%j is refused with its reason", (text) => {
  expect(() => parseYamlDocument(text)).toThrow();
});
