import { expect, it } from "vitest";
import { readContent } from "../reading/read-content.ts";
import { editDocument } from "./edit-document.ts";
import type { Ticket, TicketChanges, TicketDocument } from "./ticket.ts";
import { emptyTicket } from "./transitions.ts";

function ticketWith(document: TicketDocument): Ticket {
  return { ...emptyTicket, ...readContent(document), document };
}

function edited(document: TicketDocument, changes: TicketChanges) {
  const result = editDocument(ticketWith(document), changes);
  return { ...result, content: readContent(result.document) };
}

const techSpec = {
  problemStatement: { narrative: "Old problem" },
  solution: { overview: "Old way", fileChanges: { create: ["src/a.ts"] } },
  acceptanceCriteria: [{ given: "a", when: "b", then: "c" }, "Plain"],
};

it.each([
  ["an object", techSpec],
  ["JSON in a string", JSON.stringify(techSpec)],
])("clears what a server's spec says, where that is %s", (_, spec) => {
  const { content, former } = edited({ techSpec: spec }, { problemStatement: "" });
  expect(content).not.toHaveProperty("problemStatement");
  expect(content.solution).toContain("Old way");
  expect(former).toEqual({ problemStatement: expect.stringContaining("Old problem") });
});

it("keeps the files that a replaced solution named", () => {
  const { content } = edited({ techSpec }, { solution: "New way" });
  expect(content.solution).toBe("New way");
  expect(content.fileChanges).toEqual([{ path: "src/a.ts", action: "create" }]);
});

it("keeps parts of criteria that were not touched, and never gives an id twice", () => {
  const first = edited({ techSpec }, { acceptanceCriteria: ["Given a When b Then c", "New"] });
  expect(first.content.criteria).toMatchObject([
    { id: "AC-1", given: "a", then: "c" },
    { id: "AC-2", text: "New" },
  ]);
  const second = edited(first.document, { acceptanceCriteria: ["New"] });
  const third = edited(second.document, { acceptanceCriteria: ["New", "Newer"] });
  expect(third.content.criteria.map(({ id }) => id)).toEqual(["AC-2", "AC-3"]);
});

it("changes nothing where all is as it was", () => {
  const { former, document } = edited(
    { techSpec, description: "d" },
    { description: "d", designRefs: [], apiChanges: "" },
  );
  expect(former).toEqual({});
  expect(document).toEqual({ techSpec, description: "d" });
});
