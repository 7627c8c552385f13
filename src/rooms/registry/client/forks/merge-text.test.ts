import * as fc from "fast-check";
import { expect, test } from "vitest";
import { mergeText } from "./merge-text.ts";

const text = fc.array(fc.constantFrom("a", "b", "c", "d", "e", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));
/** Lines that nobody else has, put in anywhere. */
const edits = fc.array(fc.tuple(fc.nat(12), fc.stringMatching(/^mine-[a-z]{1,8}$/)), { maxLength: 5 });

test("I21 every local line is in the result, whatever upstream did", () => {
  fc.assert(
    fc.property(text, text, edits, (base, upstream, added) => {
      const local = base.split("\n");
      for (const [at, line] of added) local.splice(Math.min(at, local.length), 0, line);
      const { text: merged } = mergeText(base, local.join("\n"), upstream, "manual");
      const lines = merged.split("\n");
      for (const [, line] of added) expect(lines).toContain(line);
    }),
    { numRuns: 500 },
  );
});

test("what only one side changed is that side's, without a conflict", () => {
  fc.assert(
    fc.property(text, text, (base, changed) => {
      expect(mergeText(base, changed, base, "auto")).toEqual({ text: changed, isConflict: false });
      expect(mergeText(base, base, changed, "auto")).toEqual({ text: changed, isConflict: false });
      expect(mergeText(base, changed, changed, "auto")).toEqual({ text: changed, isConflict: false });
    }),
  );
});
