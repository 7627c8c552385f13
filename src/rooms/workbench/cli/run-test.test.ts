import { describe, expect, test } from "vitest";
import { CapturedStream } from "../../../../test/harness/cli/cli.ts";
import { WorkbenchCli } from "../../../../test/harness/rooms/workbench/workbench-cli.ts";
import type { App } from "../../../commons/cli/app.ts";

const passing = [
  'import assert from "node:assert/strict";',
  'import test from "node:test";',
  'import { one } from "./src/one.js";',
  'test("one is one", () => assert.equal(one, 1));',
  "",
].join("\n");

const files = {
  "package.json": '{"type":"module","scripts":{"test":"node --test"}}\n',
  "src/one.js": "export const one = 1;\n",
  "one.test.js": passing,
};

async function trusted(more: Record<string, string> = {}): Promise<WorkbenchCli> {
  const cli = new WorkbenchCli({ ...files, ...more });
  await cli.do("trust --yes");
  return cli;
}

type Stub = { result?: object; report?: { progress: number; total?: number; message?: string } };

/** The program, in which the tests have this result. */
function withResult({ result = {}, report }: Stub) {
  return (app: App): Partial<App> => ({
    tools: {
      ...app.tools,
      call: async (name, input, options) => {
        if (name !== "forge_run_tests") return app.tools.call(name, input, options);
        if (report) options?.report?.(report);
        const counts = { status: "passed", total_tests: 8, passed: 8, failed: 0, skipped: 0, duration: "2.3s" };
        return { test_results: counts, failures: [], run_id: "r", runner: "vitest", command: [], input, ...result };
      },
    },
  });
}

describe("run test", () => {
  test("runs the tests of the open execution, and fails with them", async () => {
    const cli = await trusted();
    const id = await cli.start();
    const passed = await cli.run("run test");
    expect(passed).toMatchObject({ code: 0, err: "" });
    expect(passed.out).toMatch(/^tests passed: 1 of 1 passed, in \S+ \(node:test\)\n$/);
    expect(await cli.json("run test")).toMatchObject({ execution_id: id, test_results: { status: "passed" } });
    cli.put({ "src/one.js": "export const one = 2;\n" });
    const failed = await cli.run("run test --file src/one.js");
    expect(failed.code).toBe(1);
    expect(failed.out).toMatch(/^one\.test\.js:4 {2}one is one\n {4}\S/);
    expect(failed.out).toMatch(/\ntests failed: 0 of 1 passed, 1 failed, in \S+ \(node:test\)\n$/);
    expect((await cli.run("run test --json")).code).toBe(1);
  });

  test("without an execution it is the project's", async () => {
    const result = await (await trusted()).json("run test");
    expect(result).toMatchObject({ test_results: { status: "passed" } });
    expect(result).not.toHaveProperty("execution_id");
  });

  test("has an option for every part of a run", async () => {
    const cli = new WorkbenchCli();
    const id = await cli.start();
    const line = "run test --file src/auth.ts --scope failed --type unit,e2e --coverage --timeout 5";
    expect(await cli.json(line, { with: withResult({}) })).toMatchObject({
      input: {
        scope: "failed",
        files: ["src/auth.ts"],
        test_types: ["unit", "e2e"],
        coverage: true,
        timeout_seconds: 5,
        execution_id: id,
      },
    });
  });

  test("prints failures with their place, coverage, and notes beside it", async () => {
    const result = {
      test_results: { status: "failed", total_tests: 3, passed: 1, failed: 1, skipped: 1, duration: "0.1s" },
      failures: [{ name: "signs in", file: "auth.test.ts", line: 12, message: "expected 1\nreceived 2" }],
      coverage: { lines_covered: 42, total_lines: 45, percentage: 93.3 },
      notes: ["Counts are read from text."],
    };
    expect(await new WorkbenchCli().run("run test", { with: withResult({ result }) })).toMatchObject({
      code: 1,
      out: [
        "auth.test.ts:12  signs in",
        "    expected 1",
        "    received 2",
        "tests failed: 1 of 3 passed, 1 failed, 1 skipped, in 0.1s (vitest)",
        "coverage: 93.3% of lines (42 of 45)",
        "",
      ].join("\n"),
      err: "Counts are read from text.\n",
    });
  });

  test("a run without a test is not printed as one that passed", async () => {
    const result = {
      test_results: { status: "passed", total_tests: 0, passed: 0, failed: 0, skipped: 0, duration: "2.3s" },
    };
    const { out } = await new WorkbenchCli().run("run test", { with: withResult({ result }) });
    expect(out).toBe("no test was run: 0 of 0 passed, in 2.3s (vitest)\n");
  });

  test("a failure without a report prints the end of the output", async () => {
    const cli = new WorkbenchCli();
    const result = {
      test_results: { status: "failed", total_tests: 0, passed: 0, failed: 0, skipped: 0, duration: "2.3s" },
      output: `${"noise\n".repeat(50)}SyntaxError: no`,
    };
    const { out } = await cli.run("run test", { with: withResult({ result }) });
    expect(out).toContain("    …\n");
    expect(out).toContain("    SyntaxError: no\n");
    expect(out.split("\n").length).toBeLessThan(20);
  });

  test("a terminal shows the progress, of which nothing is left", async () => {
    const stderr = new CapturedStream({ isTTY: true, columns: 80 });
    const report = { progress: 4, total: 8, message: "src/auth.test.ts" };
    await new WorkbenchCli().run("run test", { stderr, with: withResult({ report }) });
    expect(stderr.text).toContain("[==========          ] 50% src/auth.test.ts");
    expect(stderr.text.endsWith("\r\x1b[K")).toBe(true);
  });

  test("without a total the line says what was done, and no number that counts nothing", async () => {
    const stderr = new CapturedStream({ isTTY: true, columns: 80 });
    const report = { progress: 12.003, message: "tests running, 12 done, 1 failed, 9 s" };
    await new WorkbenchCli().run("run test", { stderr, with: withResult({ report }) });
    expect(stderr.text).toContain("tests running, 12 done, 1 failed, 9 s");
    expect(stderr.text).not.toContain("12.003");
  });

  test.each([
    ["run test --type slow", "integration"],
    ["run test --scope slow", "--scope cannot be"],
    ["run test --timeout 0", "--timeout"],
    ["run test", "forge trust"],
  ])("forge %s is refused", async (line, message) => {
    expect(await new WorkbenchCli(files).run(line)).toMatchObject({ code: 1, err: expect.stringContaining(message) });
  });
});
