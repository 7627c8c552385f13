import { describe, expect, test } from "vitest";
import { parseTestScript, removeOperands } from "./project/test-script.ts";
import { readJunit } from "./reports/junit.ts";
import { detectTestType } from "./selection/test-types.ts";

describe("a test script", () => {
  test.each([
    ["vitest", "vitest", []],
    ["vitest run --config vitest.ci.ts", "vitest", ["run", "--config", "vitest.ci.ts"]],
    ["tsc && vitest run", "vitest", ["run"]],
    ["npx --no-install jest --runInBand", "jest", ["--runInBand"]],
    [
      "cross-env NODE_ENV=test mocha -r ts-node/register 'test/**/*.ts'",
      "mocha",
      ["-r", "ts-node/register", "test/**/*.ts"],
    ],
    ["c8 mocha", "mocha", []],
    ["node --test test/*.js", "node:test", ["test/*.js"]],
    ["tsx --test src/a.test.ts", "node:test", ["--import", "tsx", "src/a.test.ts"]],
    ["node --experimental-vm-modules node_modules/jest/bin/jest.js --ci", "jest", ["--ci"]],
    ["jest $(cat files)", "jest", []],
  ])("%s", (script, runner, args) => {
    expect(parseTestScript(script)).toMatchObject({ runner, args });
  });

  test.each(["", "make test", "echo jest", "node test.js", "npm run test:unit", "./run-vitest.sh"])(
    "%j is nobody's",
    (script) => expect(parseTestScript(script)).toBeUndefined(),
  );

  test("its variables and Node's options count", () => {
    expect(parseTestScript("NODE_OPTIONS=--experimental-vm-modules jest")).toMatchObject({
      env: { NODE_OPTIONS: "--experimental-vm-modules" },
    });
    expect(parseTestScript("node --expose-gc node_modules/.bin/mocha")).toMatchObject({
      nodeOptions: ["--expose-gc"],
    });
  });

  test("operands go, options stay with their values", () => {
    expect(removeOperands(["-r", "x", "--ci", "src", "a.js"], new Set(["-r"]))).toEqual(["-r", "x", "--ci"]);
  });
});

test.each([
  ["src/sum.test.ts", "unit"],
  ["tests/integration/test_db.py", "integration"],
  ["src/test/java/shop/OrderIT.java", "integration"],
  ["test/checkout.e2e-spec.ts", "e2e"],
  ["cypress/basket.test.js", "e2e"],
  ["bench/sort.test.js", "performance"],
  ["load_test.go", "performance"],
  ["src/unit/items.test.ts", "unit"],
  ["src/benchmarking-site.test.ts", "unit"],
])("%s is a test of type %s", (path, type) => expect(detectTestType(path)).toBe(type));

describe("a JUnit report", () => {
  test("of every dialect", () => {
    const report = `<?xml version="1.0"?><testsuites><testsuite name="s"><testcase name="a" classname="c"/>
      <testcase name="b" classname="c" file="t.py" line="3"><failure message="no &lt;way&gt;"/></testcase>
      <testcase name="d"><error><![CDATA[why]]></error></testcase><testcase name="e"><skipped/></testcase>
      <testsuite name="inner"><testcase name="f"><system-out>said</system-out></testcase></testsuite></testsuite></testsuites>`;
    expect(readJunit(report)?.map(({ name, outcome, message }) => `${name} ${outcome} ${message}`)).toEqual([
      "a passed ",
      "b failed no <way>",
      "d failed why",
      "e skipped ",
      "f passed ",
    ]);
  });

  test.each([
    ["", "nothing"],
    ["<testsuite><testcase>", "cut off"],
    ['<!DOCTYPE x [<!ENTITY a "b">]><testsuite/>', "with entities"],
    ["<a>".repeat(10_000), "too deep"],
  ])("that makes no sense is none (%#)", (text) => expect(readJunit(text)).toBeUndefined());
});
