import { expect, it } from "vitest";
import { restoreShadowed, shadowedFields, withShadowed } from "./shadowed-fields.ts";

/** As a server shows a ticket whose document this is. */
function shown(document: Record<string, unknown>, ids: string[] = []): Record<string, unknown> {
  const covered = shadowedFields(document, ids);
  return {
    ...document,
    revision: 3,
    foreign: true,
    authorship: "tracked",
    claim: { holder: "ada/forge", until: "2026-01-31T12:00:00.000Z" },
    updatedBy: "ada",
    ...(ids.length > 0 && { acceptanceCriteriaIds: ids }),
    ...(covered && { covered }),
  };
}

it.each([
  ["nothing of what a server knows", { title: "A", custom: { deep: [1] } }, []],
  ["fields of the same names", { revision: 77, claim: "nobody's", updatedBy: "eve", foreign: false, covered: 1 }, []],
  ["no ids for its criteria", { acceptanceCriteria: ["One"] }, ["AC-1"]],
  ["ids for its criteria", { acceptanceCriteria: ["One"], acceptanceCriteriaIds: ["AC-1"] }, ["AC-1"]],
  ["ids that do not fit", { acceptanceCriteria: ["One"], acceptanceCriteriaIds: ["AC-1", "AC-2"] }, ["AC-1"]],
])("a document with %s is the same after it was shown", (_name, document, ids) => {
  expect(restoreShadowed(shown(document, ids))).toEqual(document);
});

it("a document that is sent back keeps its own fields, and none of the server's", () => {
  const document = { title: "A", revision: 77 };
  expect(restoreShadowed(withShadowed(document))).toEqual(document);
  expect(restoreShadowed(withShadowed({ title: "A" }))).toEqual({ title: "A" });
  expect(restoreShadowed({ title: "A", revision: 3, claim: {}, covered: "nonsense" })).toEqual({ title: "A" });
});
