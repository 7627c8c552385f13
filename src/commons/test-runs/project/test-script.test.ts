import { describe, expect, test } from "vitest";
import { parseTestScript, removeOperands } from "./test-script.ts";

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
