import { expect, test } from "vitest";
import type { Check } from "../../../../commons/evidence/checks.ts";
import { planEarlierForms } from "./plan-earlier-forms.ts";

const checkOf = (id: string, how: Check["how"]): Check => ({ id, criterion: "AC-1", how, by: "ada", at: "" });
const older = checkOf("C-1", { type: "test", file: "test/a.test.js", name: "a" });
const written = checkOf("C-2", { type: "test", file: "test/new.test.js", name: "b" });
const command = checkOf("C-3", { type: "command", command: ["npm", "test"] });

function plan(check: Check, parts: string[], there: string[]) {
  const own = check === written ? ["test/new.test.js"] : [];
  const changed = new Set([...own, ...parts]);
  return planEarlierForms([check], { changed, before: new Set(there), support: new Map([[check.id, parts]]) });
}

test("a test of before is run with helpers and settings of before, and without those that the work added", () => {
  const parts = ["test/helper.js", "vitest.config.ts", "test/data.json"];
  expect(plan(older, parts, ["test/helper.js"])).toMatchObject([
    { checks: [older], restored: ["test/helper.js"], removed: ["vitest.config.ts", "test/data.json"] },
  ]);
  // Nothing is there to be put back, but code and settings that were added can decide what it accepts.
  expect(plan(older, ["conftest.py"], [])).toMatchObject([{ checks: [older], removed: ["conftest.py"] }]);
  expect(plan(older, ["test/data.json"], [])).toEqual([]);
  expect(plan(command, ["test/b.test.js"], [])).toEqual([]);
  expect(plan(command, [".eslintignore"], [])).toMatchObject([{ removed: [".eslintignore"] }]);
  expect(plan(command, ["tsconfig.json"], ["tsconfig.json"])).toMatchObject([{ restored: ["tsconfig.json"] }]);
});

test("a test that the work wrote keeps the settings and what was added for it, and only what it checks speaks against it", () => {
  expect(plan(written, ["pytest.ini", "test/data.json"], ["pytest.ini"])).toEqual([]);
  const [form] = plan(written, ["test/helper.js", "test/data.json"], ["test/helper.js"]);
  expect(form).toMatchObject({ checks: [written], restored: ["test/helper.js"], removed: [] });
  const failed = { outcome: "failed" as const, why: "", ms: 1 };
  expect(form?.isAgainst(failed)).toBe(true);
  expect(form?.isAgainst({ ...failed, isError: true })).toBe(false);
  expect(form?.isAgainst({ ...failed, outcome: "not_found" })).toBe(false);
});
