import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { formatUnifiedDiff } from "../../src/commons/diff/unified-diff.ts";

test("shows a change with the lines around it", () => {
  const lines = Array.from({ length: 12 }, (_, index) => `${index + 1}\n`);
  const after = [...lines.slice(0, 6), "new\n", ...lines.slice(6)].join("");
  expect(formatUnifiedDiff("a.txt", lines.join(""), after)).toBe(
    "--- a.txt\n+++ a.txt\n@@ -4,6 +4,7 @@\n 4\n 5\n 6\n+new\n 7\n 8\n 9",
  );
});

test("a file that comes or goes", () => {
  expect(formatUnifiedDiff("a", undefined, "x\n")).toBe("--- /dev/null\n+++ a\n@@ -0,0 +1,1 @@\n+x");
  expect(formatUnifiedDiff("a", "x", undefined)).toBe(
    "--- a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n\\ No newline at end of file",
  );
});

test("git applies it", () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-diff-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const text = fc
    .array(fc.constantFrom("a", "b", "c", "", "d e"), { minLength: 1, maxLength: 20 })
    .map((lines) => `${lines.join("\n")}\n`);
  fc.assert(
    fc.property(text, text, fc.boolean(), (before, now, isOpen) => {
      const after = isOpen ? `${now}end` : now;
      if (before === after) return;
      writeFileSync(join(folder, "a"), before);
      const input = `${formatUnifiedDiff("a", before, after)}\n`;
      execFileSync("git", ["apply", "-p0", "--unidiff-zero", "-"], {
        cwd: folder,
        input,
        stdio: ["pipe", "pipe", "pipe"],
      });
      expect(readFileSync(join(folder, "a"), "utf8")).toBe(after);
    }),
    { numRuns: 40 },
  );
});
