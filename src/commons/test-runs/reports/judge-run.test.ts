import { expect, test } from "vitest";
import { judgeRun } from "./judge-run.ts";

const secret = "Zq4".repeat(12);
const token = `ghp_${secret}`;
const origin = { from: "tree" as const };

test.each([
  ["a failure's message", { failures: [{ name: "adds", message: `${"x ".repeat(1_985)}${token} and more` }] }, ""],
  ["the output of a run without a report", undefined, `${token} ${"x\n".repeat(1_985)}`],
])("a token at the place where %s is cut does not stay in part", (_what, report, text) => {
  const parsed = report && { passed: 0, failed: 1, skipped: 0, notes: [], ...report };
  const { failures } = judgeRun({ exitCode: 1, parsed, text, origin, root: "/project" });
  expect(JSON.stringify(failures)).toContain("x");
  expect(JSON.stringify(failures)).not.toContain("Zq4");
});
