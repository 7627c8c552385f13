import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Criterion } from "../model/ticket.ts";
import { assignCriterionIds, readCriteria } from "./criteria.ts";

const sentence = "Given a session When I click logout Then the cookie is gone";
const clauses = (given: string, when: string, then: string) => ({ given, when, then });
const parts = clauses("a session", "I click logout", "the cookie is gone");
const repeating = clauses("Given x", "when y", "Then z");

test.each<[string, unknown, Omit<Criterion, "id">[]]>([
  ["a text, whose parts are not guessed", [sentence], [{ text: sentence }]],
  ["its parts", [parts], [{ text: sentence, ...parts }]],
  ["parts that repeat the word", [repeating], [{ text: "Given x when y Then z", ...repeating }]],
  ["some of its parts", [{ given: "x", when: "y" }], [{ text: "Given x When y", given: "x", when: "y" }]],
  ["parts as JSON in a text", [JSON.stringify(parts)], [{ text: sentence, ...parts }]],
  ["notes of a server", [{ when: "b", implementationNotes: "n" }], [{ text: "When b", when: "b", notes: "n" }]],
  ["our own", [{ id: "AC-1", text: "a", notes: "n" }], [{ text: "a", notes: "n" }]],
  ["a text with its parts", [{ text: "Logout", ...parts }], [{ text: `Logout: ${sentence}`, ...parts }]],
  ["the same read again", [{ text: `Logout: ${sentence}`, ...parts }], [{ text: `Logout: ${sentence}`, ...parts }]],
  ["one text", "a", [{ text: "a" }]],
  ["a list as JSON in a text", '["a","b"]', [{ text: "a" }, { text: "b" }]],
  ["what is none", [null, "", " ", {}, [], true, { notes: "n" }, "a"], [{ text: "a" }]],
  ["an object", { a: 1 }, []],
])("criteria from %s", (_what, acceptanceCriteria, criteria) => {
  const read = readCriteria({ acceptanceCriteria }, {});
  expect(read.map(({ id: _, ...criterion }) => criterion)).toEqual(criteria);
});

test("the list at the top level counts before the one in the specification, where it says something", () => {
  const techSpec = { acceptanceCriteria: [parts] };
  expect(readCriteria({ acceptanceCriteria: ["top"] }, techSpec)).toEqual([{ id: "AC-1", text: "top" }]);
  expect(readCriteria({ acceptanceCriteria: ["", null] }, techSpec)).toEqual([
    { id: "AC-1", text: sentence, ...parts },
  ]);
});

describe("every criterion has an id", () => {
  const ids = (document: Record<string, unknown>) => readCriteria(document, {}).map(({ id }) => id);
  test.each<[string, Record<string, unknown>, string[]]>([
    ["by its place", { acceptanceCriteria: ["a", "b"] }, ["AC-1", "AC-2"]],
    [
      "from the list beside",
      { acceptanceCriteria: ["a", "b"], acceptanceCriteriaIds: ["AC-7", "ac-2"] },
      ["AC-7", "AC-2"],
    ],
    ["its own", { acceptanceCriteria: [{ id: "AC-3", text: "a" }, "b"] }, ["AC-3", "AC-1"]],
    [
      "its own before the list",
      { acceptanceCriteria: [{ id: "AC-3", text: "a" }], acceptanceCriteriaIds: ["AC-9"] },
      ["AC-3"],
    ],
    [
      "one that is none",
      {
        acceptanceCriteria: [
          { id: "x", text: "a" },
          { id: 4, text: "b" },
        ],
      },
      ["AC-1", "AC-2"],
    ],
    [
      "one twice",
      { acceptanceCriteria: ["a", "b", "c"], acceptanceCriteriaIds: ["AC-1", "AC-1", "AC-2"] },
      ["AC-1", "AC-3", "AC-2"],
    ],
    [
      "beside entries that make no sense",
      { acceptanceCriteria: [null, "b"], acceptanceCriteriaIds: ["AC-1", "AC-2"] },
      ["AC-2"],
    ],
    ["beside those that make sense", { acceptanceCriteria: [null, "b"], acceptanceCriteriaIds: ["AC-5"] }, ["AC-5"]],
    [
      "not one that another had",
      { acceptanceCriteria: ["a", "b"], acceptanceCriteriaIds: ["AC-1"], acceptanceCriteriaUsed: 4 },
      ["AC-1", "AC-5"],
    ],
    [
      "a list of nonsense",
      { acceptanceCriteria: ["a"], acceptanceCriteriaIds: { a: 1 }, acceptanceCriteriaUsed: "9" },
      ["AC-1"],
    ],
  ])("%s", (_what, document, expected) => {
    expect(ids(document)).toEqual(expected);
  });
});

describe("ids of an edited list", () => {
  const before = (texts: string[]) => texts.map((text, index) => ({ id: `AC-${index + 1}`, text }));
  test.each<[string, string[], string[], string[]]>([
    ["stay", ["a", "b"], ["a", "b"], ["AC-1", "AC-2"]],
    ["go where their text goes", ["a", "b", "c"], ["c", "a", "b"], ["AC-3", "AC-1", "AC-2"]],
    ["stay where a text is changed", ["a", "b"], ["a", "B"], ["AC-1", "AC-2"]],
    ["are new for what is put before", ["a", "b"], ["x", "a", "b"], ["AC-4", "AC-1", "AC-2"]],
    ["are new for what is added", ["a"], ["a", "x"], ["AC-1", "AC-4"]],
    ["are not given again after a removal", ["a", "b"], ["b", "x"], ["AC-2", "AC-4"]],
    ["of equal texts are each given once", ["a", "a"], ["a", "b", "a"], ["AC-1", "AC-4", "AC-2"]],
    ["go with the first of equal texts", ["x", "a", "a"], ["a"], ["AC-2"]],
  ])("%s", (_what, previous, texts, expected) => {
    const { ids, used } = assignCriterionIds(before(previous), texts, 3);
    expect(ids).toEqual(expected);
    expect(used).toBe(ids.includes("AC-4") ? 4 : 3);
  });

  test("go on from the highest there is where less is remembered", () => {
    expect(assignCriterionIds([{ id: "AC-9", text: "a" }], ["a", "b"], 0)).toEqual({
      ids: ["AC-9", "AC-10"],
      used: 10,
    });
  });

  test("are never given to something else, over any number of edits", () => {
    const texts = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 12 }), (edits) => {
        let criteria: Criterion[] = [];
        let used = 0;
        const gone = new Set<string>();
        for (const edit of edits) {
          const assigned = assignCriterionIds(criteria, edit, used);
          expect(new Set(assigned.ids).size).toBe(edit.length);
          expect(assigned.ids.filter((id) => gone.has(id))).toEqual([]);
          expect(assigned.used).toBeGreaterThanOrEqual(used);
          for (const { id } of criteria) if (!assigned.ids.includes(id)) gone.add(id);
          criteria = edit.map((text, index) => ({ id: assigned.ids[index] ?? "", text }));
          used = assigned.used;
        }
      }),
    );
  });

  test("are found for very long lists too", () => {
    const texts = Array.from({ length: 200_000 }, (_, index) => (index % 2 ? "same" : String(index)));
    const { ids } = assignCriterionIds(before(texts), [...texts].reverse(), 0);
    expect(new Set(ids).size).toBe(texts.length);
  });
});
