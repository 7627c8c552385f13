import { describe, expect, test } from "vitest";
import {
  installPackages,
  layReport,
  makeProgram,
  orderFor,
  preparedRunners,
  testingSandbox,
} from "../../../../test/harness/commons/testing.ts";
import { testWith } from "../../../../test/harness/faults/faults.ts";
import { jest } from "./jest.ts";
import { mocha } from "./mocha.ts";

const script = (test: string) => JSON.stringify({ name: "shop", scripts: { test } });
const ended = { exitCode: 1, startedAt: 0, text: "" };

describe("Jest", () => {
  test("its report, as it writes it", async () => {
    const order = orderFor("/project", layReport("jest.json", "report.json"));
    expect(await jest.read(order).finish(ended)).toMatchObject({
      passed: 1,
      failed: 2,
      skipped: 2,
      failures: [
        { name: "sum fails", file: "src/sum.test.js", line: 2, message: expect.stringContaining("Expected: 3") },
        {
          name: "src/broken.test.js",
          file: "src/broken.test.js",
          message: expect.stringContaining("unexpected token"),
        },
      ],
    });
  });

  testWith(["runners"], "for real: all, related to a file, those that failed, coverage", async () => {
    const { run, project } = testingSandbox();
    const root = await project({
      "package.json": script("NODE_ENV=test jest --watchAll"),
      "src/sum.js": "module.exports = (a, b) => a + b;\n",
      "src/sum.test.js":
        "const sum = require('./sum');\ntest('adds', () => expect(sum(1, 1)).toBe(2));\ntest('fails', () => expect(sum(1, 1)).toBe(3));\ntest.skip('later', () => {});\n",
      "src/other.test.js": "test('other', () => expect(process.env.NODE_ENV).toBe('test'));\n",
    });
    installPackages(root, preparedRunners);
    const failures = [{ name: "fails", file: "src/sum.test.js", line: 3 }];
    const all = await run(root, { coverage: true });
    expect(all).toMatchObject({
      runner: "jest",
      status: "failed",
      total: 4,
      passed: 2,
      failed: 1,
      skipped: 1,
      failures,
    });
    expect(all.coverage).toEqual({ lines_covered: 1, total_lines: 1, percentage: 100 });
    expect(await run(root, { scope: "related_to_files", files: ["src/sum.js"] })).toMatchObject({ total: 3, failures });
    expect(await run(root, { scope: "failed" })).toMatchObject({ total: 3, failures });
    expect(await run(root, { scope: "related_to_files", files: ["src/other.test.js"] })).toMatchObject({
      status: "passed",
      total: 1,
    });
  });
});

describe("Mocha", () => {
  test("its report, as it writes it", async () => {
    const order = orderFor("/project", layReport("mocha.json", "report.json"));
    expect(await mocha.read(order).finish(ended)).toMatchObject({
      passed: 2,
      failed: 1,
      skipped: 2,
      failures: [{ name: "sum fails", file: "test/sum.js", line: 2, message: expect.stringContaining("2 == 3") }],
    });
  });

  testWith(["runners"], "for real: all as its script says, related to a file, those that failed", async () => {
    const { run, project } = testingSandbox();
    const root = await project({
      "package.json": script("mocha --require ./set-up.js 'spec/**/*.js'"),
      "set-up.js": "globalThis.ready = true;\n",
      "lib/sum.js": "module.exports = (a, b) => a + b;\n",
      "lib/index.js": "exports.sum = require('./sum.js');\n",
      "spec/sum.spec.js":
        "const { sum } = require('../lib');\nit('adds', () => { if (!ready) throw new Error('not set up'); });\nit('fails', () => {\n  if (sum(1, 1) !== 3) throw new Error('sums');\n});\nit('later');\n",
      "spec/other.spec.js": "it('other', () => {});\n",
    });
    installPackages(root, preparedRunners);
    const failures = [{ name: "fails", file: "spec/sum.spec.js", line: 4, message: expect.stringContaining("sums") }];
    expect(await run(root)).toMatchObject({
      runner: "mocha",
      status: "failed",
      total: 4,
      passed: 2,
      failed: 1,
      skipped: 1,
      failures,
    });
    expect(await run(root, { scope: "failed" })).toMatchObject({ total: 3, failures });
    expect(await run(root, { scope: "related_to_files", files: ["lib/sum.js"] })).toMatchObject({ total: 3, failures });
    expect(await run(root, { scope: "related_to_files", files: ["spec/other.spec.js"] })).toMatchObject({ total: 1 });
  });
});

describe("Gradle", () => {
  const files = {
    "build.gradle": "",
    "src/main/java/shop/Sum.java": "package shop; class Sum {}\n",
    "src/test/java/shop/SumTest.java": "package shop; class SumTest {}\n",
    "src/test/java/shop/OtherTest.java": "package shop; class OtherTest {}\n",
  };
  /** Stands in for Gradle: says what it was called with, and leaves the report where Gradle does. */
  const gradlew = (report: string, code: number) =>
    `#!/bin/sh\necho "called with $*"\nmkdir -p build/test-results/test\ncp ${report} build/test-results/test/TEST-shop.SumTest.xml\nexit ${code}\n`;

  test("reports that this run wrote; the class's file and line; the wrapper is pinned by its bytes", async () => {
    const { run, project } = testingSandbox();
    const report = `${layReport("gradle.xml", "report.xml")}/report.xml`;
    const root = await project({ ...files, gradlew: gradlew(report, 1) });
    expect(await run(root)).toMatchObject({
      runner: "gradle",
      status: "failed",
      total: 3,
      passed: 1,
      failed: 1,
      skipped: 1,
      failures: [{ name: "shop.SumTest.fails", file: "src/test/java/shop/SumTest.java", line: 7 }],
    });
    const related = await run(root, { scope: "related_to_files", files: ["src/main/java/shop/Sum.java"] });
    expect(related.command.slice(-5)).toEqual(["test", "--tests", "shop.SumTest", "--tests", "shop.SumTest$*"]);
    makeProgram(`${root}/gradlew`, gradlew(report, 0));
    await expect(run(root)).rejects.toMatchObject({
      code: "TRUST_REQUIRED",
      message: expect.stringContaining("gradlew"),
    });
  });

  test("exit code 0 with failures in the report is failed, with a note; reports of before do not count", async () => {
    const { run, project } = testingSandbox();
    const report = `${layReport("gradle.xml", "report.xml")}/report.xml`;
    const root = await project({ ...files, gradlew: gradlew(report, 0) });
    expect(await run(root)).toMatchObject({
      status: "failed",
      exitCode: 0,
      notes: expect.arrayContaining([expect.stringContaining("exited with code 0")]),
    });
    const later = await project(
      { ...files, gradlew: "#!/bin/sh\nexit 3\n", "build/test-results/test/TEST-old.xml": "<x/>" },
      "later",
    );
    const outcome = await run(later);
    expect(outcome).toMatchObject({ status: "failed", total: 1, failures: [{ name: "exit code 3" }] });
  });
});
