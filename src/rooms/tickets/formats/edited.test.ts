import { describe, expect, it } from "vitest";
import type { TicketDocument } from "../model/ticket.ts";
import { decodeTickets, editableText, encodeTicket, readEdited } from "./index.ts";

const server: TicketDocument = {
  id: "aec_1",
  title: "Add logout",
  status: "approved",
  assignedTo: null,
  questions: [{ id: "Q-1", question: "Why?" }],
  techSpec: {
    problemStatement: { narrative: "Nobody can leave", mood: "bad" },
    solution: {
      overview: "A route",
      steps: [
        { order: 1, description: "Route", codeSnippet: "one()" },
        { order: 2, description: "Button", codeSnippet: "two()" },
      ],
    },
    fileChanges: [{ path: "src/a.ts", action: "create", pattern: "like b.ts" }],
  },
};

/** The ticket after an edit, which must have found what it looks for. */
function edited(document: TicketDocument, from: string, to: string) {
  const text = editableText(document);
  expect(text).toContain(from);
  return readEdited(text.replace(from, () => to));
}

describe("an edit of a ticket as Markdown", () => {
  it("changes what was edited and keeps every hidden detail of the rest", () => {
    const { document, warnings } = edited(server, "Nobody can leave", "Nobody may leave");
    const techSpec = server["techSpec"] as Record<string, unknown>;
    expect(document).toEqual({
      ...server,
      techSpec: { ...techSpec, problemStatement: { narrative: "Nobody may leave", mood: "bad" } },
    });
    expect(warnings).toEqual([]);
  });

  it("wins over hidden details of the same place, and says so", () => {
    const { document, warnings } = edited(server, "1. Route", "1. Two routes");
    expect(document).toMatchObject({
      techSpec: {
        solution: {
          steps: [
            { order: 1, description: "Two routes" },
            { order: 2, description: "Button", codeSnippet: "two()" },
          ],
        },
      },
    });
    expect(JSON.stringify(document)).not.toContain("one()");
    expect(warnings).toEqual(["techSpec.solution.steps.0 was edited, so its hidden details were dropped."]);
  });

  it("stays where the ticket has that part: text at the top stays text at the top", () => {
    const own = { title: "T", description: "Old.\n", problemStatement: "Bad.", acceptanceCriteria: ["One"] };
    expect(edited(own, "Bad.", "Worse.\n\n### Context\n\nMore.")).toEqual({
      document: { ...own, problemStatement: "Worse.\n\n### Context\n\nMore." },
      warnings: [],
    });
    expect(edited(own, "Old.", "New.")).toEqual({ document: { ...own, description: "New." }, warnings: [] });
    expect(edited(own, "1. One", "1. One\n2. Two").document).toEqual({ ...own, acceptanceCriteria: ["One", "Two"] });
  });

  it("puts an assignee where the ticket has one", () => {
    const { document, warnings } = edited(server, 'status: "approved"', 'status: "approved"\nassignee: "ann"');
    expect(document).toEqual({ ...server, assignedTo: "ann" });
    expect(warnings).toEqual([]);
  });

  it("keeps a criterion's id when its words change", () => {
    const own = { title: "T", acceptanceCriteria: [{ id: "AC-3", text: "One" }] };
    expect(edited(own, "One", "Two").document).toEqual({
      title: "T",
      acceptanceCriteria: [{ id: "AC-3", text: "Two" }],
    });
  });

  it("may add a section, also below the hidden part", () => {
    const { document, warnings } = readEdited(`${editableText(server)}\n## Test Plan\n\nTry it.\n`);
    expect(document).toEqual({ ...server, testPlan: "Try it." });
    expect(warnings).toEqual([]);
  });

  it("may take a section away", () => {
    const own = { title: "T", description: "Old.", solution: "Do it." };
    expect(edited(own, "## Solution\n\nDo it.", "").document).toEqual({ title: "T", description: "Old." });
  });

  it.each([
    ["", "removed"],
    ["<!-- forge:remainder {not json} -->", "broken"],
    ["<!-- forge:remainder never closed", "never closed"],
    ['<!-- forge:remainder {"homes":{},"details":[{"at":[],"seen":null}]} -->', "not of our form"],
  ])("reads by what is visible where the hidden part is %j (%s)", (hidden, _) => {
    const text = editableText(server);
    const visible = text.slice(0, text.indexOf("<!-- forge:remainder"));
    const { document, warnings } = readEdited(visible + hidden);
    expect(document).toMatchObject({ title: "Add logout", problemStatement: "Nobody can leave" });
    expect(document).not.toHaveProperty("questions");
    expect(warnings).toEqual(hidden ? ["The hidden part at the end is damaged; only the visible text was read."] : []);
  });
});

describe("a hidden part that contradicts what is visible", () => {
  const honest = { title: "Add logout", acceptanceCriteria: ["Ends the session"], mood: "fine" };
  const evil = { ...honest, acceptanceCriteria: ["Sends the session away"] };

  it.each(["xml", "markdown"] as const)("is not believed, in %s", (format) => {
    const digest = /"seen":"[0-9a-f]{64}"/.exec(
      encodeTicket({ ...honest, acceptanceCriteria: ["Ends the session "] }, format),
    );
    const forged = encodeTicket(honest, format).replace(
      '"details":[',
      `"details":[{"at":["acceptanceCriteria",0],${digest?.[0]},"value":"Sends the session away"},`,
    );
    const { documents, warnings } = decodeTickets(forged, { format, source: "x" });
    expect(forged).not.toBe(encodeTicket(honest, format));
    expect(documents).toEqual([honest]);
    expect(documents).not.toEqual([evil]);
    expect(warnings).toEqual(["The hidden part at the end contradicts the visible text; the visible text was used."]);
  });
});
