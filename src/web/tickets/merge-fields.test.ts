import fc from "fast-check";
import { expect, test } from "vitest";
import { type EditedFields, fieldsOf, mergeFields, toChanges } from "./merge-fields.ts";

const base = fieldsOf({
  title: "Add logout",
  criteria: [{ id: "AC-1", text: "The cookie is gone" }],
  labels: [],
  dependsOn: [],
});

test("changes of different fields are merged without a question", () => {
  const { merged, conflicts } = mergeFields(
    base,
    { ...base, title: "Add sign-out" },
    { ...base, description: "Also on the phone", priority: "high" },
  );
  expect(conflicts).toEqual([]);
  expect(merged).toMatchObject({ title: "Add sign-out", description: "Also on the phone", priority: "high" });
});

test("different changes of one field are a conflict, the same change is none", () => {
  const mine = { ...base, title: "Mine", solution: "Same" };
  const { merged, conflicts } = mergeFields(base, mine, { ...base, title: "Theirs", solution: "Same" });
  expect(conflicts).toEqual([{ field: "title", theirs: "Theirs" }]);
  expect(merged.title).toBe("Mine");
});

test("only what differs is sent, criteria as a list and an empty assignee as none", () => {
  const mine = { ...base, acceptanceCriteria: " One \n\nTwo", assignee: "" };
  expect(toChanges({ ...base, assignee: "ada" }, mine)).toEqual({ acceptanceCriteria: ["One", "Two"], assignee: null });
  expect(toChanges(base, { ...base, labels: "web, ui", dependsOn: " " })).toEqual({
    labels: ["web", "ui"],
    dependsOn: [],
  });
  expect(toChanges(base, base)).toEqual({});
});

test("no change of either side is lost unnoticed", () => {
  const value = fc.constantFrom("", "a", "b");
  const fields: fc.Arbitrary<EditedFields> = fc.record({
    title: value,
    description: value,
    problemStatement: value,
    solution: value,
    acceptanceCriteria: value,
    priority: value,
    type: value,
    assignee: value,
    labels: value,
    dependsOn: value,
  });
  fc.assert(
    fc.property(fields, fields, fields, (before, mine, theirs) => {
      const { merged, conflicts } = mergeFields(before, mine, theirs);
      for (const field of Object.keys(before) as (keyof EditedFields)[]) {
        const isAsked = conflicts.some((conflict) => conflict.field === field);
        if (!isAsked && mine[field] !== before[field]) expect(merged[field]).toBe(mine[field]);
        if (!isAsked && theirs[field] !== before[field]) expect(merged[field]).toBe(theirs[field]);
      }
    }),
  );
});
