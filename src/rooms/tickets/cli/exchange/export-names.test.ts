import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fileNameFor, formatOfName } from "./export-names.ts";

test("a file's name is one plain name, whatever the ticket contains", () => {
  const nasty = fc.string({
    unit: fc.oneof(fc.constantFrom("/", "\\", "..", ":", "\0", "\n", "CON", "-"), fc.string()),
  });
  fc.assert(
    fc.property(nasty, nasty, (id, slug) => {
      const name = fileNameFor({ id: `T-${id}`, slug }, "markdown");
      expect(name).toMatch(/^T-[A-Za-z0-9_-]*\.md$/);
      expect(name.length).toBeLessThanOrEqual(id.length + 66);
    }),
  );
});

test.each([
  ["out.json", "json"],
  ["out.XML", "xml"],
  ["out.md", "markdown"],
  ["out.markdown", "markdown"],
  ["out", undefined],
])("the format of %s is %s", (file, format) => {
  expect(formatOfName(file)).toBe(format);
});
