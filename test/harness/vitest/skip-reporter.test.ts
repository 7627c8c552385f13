import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { programFile } from "../../../scripts/program-file.ts";

const reporter = resolve(import.meta.dirname, "skip-reporter.ts");

/** Vitest itself, on these tests, with the reporter and nothing else of ours. */
function report(tests: string, env: Record<string, string> = {}): { code: number | null; said: string } {
  const folder = mkdtempSync(join(tmpdir(), "forge-reporter-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "junction");
  writeFileSync(join(folder, "some.test.mjs"), `import { describe, expect, test } from "vitest";\n${tests}`);
  const { PATH = "" } = process.env;
  const args = [programFile("vitest"), "run", "--root", folder, `--reporter=${reporter}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { PATH, HOME: folder, NO_COLOR: "1", ...env },
    encoding: "utf8",
  });
  return { code: status, said: stdout + stderr };
}

const passing = 'test("runs", () => expect(1).toBe(1));';
const skipping = `${passing} describe("group", () => test.skip("is not run (needs a moon)", () => {}));`;
const leaving = `${passing} test("leaves", ({ skip }) => skip("no moon today"));`;

test("says how many passed, where nothing was skipped", () => {
  const { code, said } = report(passing);
  expect(code).toBe(0);
  expect(said).toContain("1 passed, 0 failed, 0 skipped");
  expect(said).not.toContain("Skipped");
});

test("names each test that was skipped, with its reason", () => {
  const { code, said } = report(skipping + leaving.replace(passing, ""));
  expect(code).toBe(0);
  expect(said).toContain("- group > is not run (needs a moon)");
  expect(said).toContain("- leaves: no moon today");
  expect(said).toContain("1 passed, 0 failed, 2 skipped");
});

test.each([
  ["a test marked so", skipping],
  ["a test that leaves", leaving],
])("makes a skip a failure where skips are forbidden: %s", (_what, tests) => {
  const { code, said } = report(tests, { FORGE_TEST_NO_SKIPS: "1" });
  expect(code).toBe(1);
  expect(said).toContain("Skips are not allowed here");
});

test("lets a run without skips pass where they are forbidden", () => {
  expect(report(passing, { FORGE_TEST_NO_SKIPS: "1" }).code).toBe(0);
});
