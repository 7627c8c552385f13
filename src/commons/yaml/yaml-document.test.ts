import { expect, test } from "vitest";
import { countYamlValues, parseYamlDocument } from "./parse-yaml.ts";

test("a document keeps its comments and its order through a change", () => {
  const { document } = parseYamlDocument("# stack of the project\nb: 1\na: 2 # two\n");
  document.set("b", 3);
  expect(String(document)).toBe("# stack of the project\nb: 3\na: 2 # two\n");
});

test.each(["a: [", "a: 1\na: 2\n", "x: !!js/function 1\n"])("%j is refused with its reason", (text) => {
  expect(() => parseYamlDocument(text)).toThrow();
});

test.each(["&a ", "!a ", "*a ", "- ", "? ", "][", "{}", '"" ', "'' ", "-\t", "\r"])(
  "I08 %j counts as a value each time: the parser takes long for it",
  (part) => {
    expect(countYamlValues(`a: ${part.repeat(1_000)}`)).toBeGreaterThan(1_000);
  },
);

test("I08 the first fault ends the parsing", () => {
  const started = process.cpuUsage();
  expect(() => parseYamlDocument("a: ".concat("][".repeat(100_000)))).toThrow();
  expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
});
