import { expect, test } from "vitest";
import { startMemoryServer } from "../../../../../test/harness/rooms/memory/memory-server.ts";

type Museum = { total: number; failures: { title: string; source: string }[] };

test("the file's entries and those that were filed, most critical first, by category", async () => {
  const { ok } = await startMemoryServer({
    files: {
      "_bmad/_memory/failure-museum.md":
        "## 🟡 Importantes\n### [2026-01-01] [dev] HALLUCINATION — Invented an option\n## 🔴 Critiques\n### [2025-01-01] [dev] CC-FAIL — Lost data\n",
    },
  });
  await ok("record_failure", { title: "Forgot a test", category: "PROCESS-SKIP", severity: "minor" });
  const { failures, total } = await ok<Museum>("get_failure_museum");
  expect(total).toBe(3);
  expect(failures.map(({ title }) => title)).toEqual(["Lost data", "Invented an option", "Forgot a test"]);
  expect(failures[0]?.source).toBe("_bmad/_memory/failure-museum.md:4");
  expect((await ok<Museum>("get_failure_museum", { top_n: 1 })).failures).toHaveLength(1);
  expect((await ok<Museum>("get_failure_museum", { category: "HALLUCINATION" })).total).toBe(1);
});
