import { expect, test } from "vitest";
import * as z from "zod";
import { unbounded } from "../../../../test/contract/unbounded.ts";
import type { Ticket, TicketDocument } from "../model/ticket.ts";
import { presentContext, toContext } from "./context.ts";
import { ticketContext } from "./context-schemas.ts";
import { readContent } from "./read-content.ts";
import { ticketSummary } from "./summary-schema.ts";

const moment = "2026-03-01T10:00:00.000Z";

function ticket(document: TicketDocument, facts: Partial<Ticket> = {}): Ticket {
  const own = {
    id: "T-001",
    title: "Add logout",
    status: "READY",
    createdAt: moment,
    updatedAt: moment,
    revision: 3,
  } as const;
  return { ...own, foreign: false, ...readContent(document), document, ...facts };
}

test("a ticket that says nothing has its facts and two empty lists", () => {
  expect(toContext(ticket({}))).toEqual({
    id: "T-001",
    title: "Add logout",
    status: "READY",
    acceptanceCriteria: [],
    fileChanges: [],
    createdAt: moment,
    updatedAt: moment,
    revision: 3,
  });
});

test("everything a ticket says is there", () => {
  const document = {
    description: "d",
    problemStatement: "p",
    solution: "s",
    acceptanceCriteria: ["a", { id: "AC-7", text: "b", notes: "n" }],
    fileChanges: [{ path: "f", action: "create", notes: "n", layer: "backend" }],
    apiChanges: "api",
    testPlan: "t",
    designRefs: ["https://example.com"],
    assumptions: ["as"],
    inScope: ["in"],
    outOfScope: ["out"],
    questions: [{ id: "Q-1", question: "q", blocking: true }],
    reviewSession: { qaItems: [{ question: "q", answer: "a" }], submittedAt: moment },
    changeRecord: { executionSummary: "done", filesChanged: [{ path: "f", additions: 1, deletions: 2 }] },
    implementationBranch: "forge/x",
    repositoryContext: { repositoryFullName: "a/b" },
  };
  const { repositoryContext: _, acceptanceCriteria: __, ...same } = document;
  const claim = { holder: "worker", until: moment };
  const facts: Partial<Ticket> = { slug: "acme-1", type: "bug", priority: "high", assignee: "ada", claim };
  const context = toContext(ticket(document, facts));
  expect(context).toEqual({
    ...same,
    ...facts,
    id: "T-001",
    title: "Add logout",
    status: "READY",
    assignedTo: "ada",
    acceptanceCriteria: ["a", "b"],
    acceptanceCriteriaIds: ["AC-1", "AC-7"],
    acceptanceCriteriaNotes: { "AC-7": "n" },
    repository: "a/b",
    createdAt: moment,
    updatedAt: moment,
    revision: 3,
  });
  expect(ticketContext.parse(context)).toEqual(context);
});

test("H04 what hides in a ticket is shown, and a warning counts it", () => {
  const document = { description: "a\u202eb", fileChanges: [{ path: "src/\u200bx.ts" }] };
  const context = presentContext(toContext(ticket(document, { title: "T\u{e0041}" })));
  expect(context).toMatchObject({
    title: "T\\u{e0041}",
    description: "a\\u{202e}b",
    fileChanges: [{ path: "src/\\u{200b}x.ts" }],
  });
  expect(context.warnings).toEqual([expect.stringMatching(/^3 invisible characters are shown as \\u\{…\}/)]);
});

/** Tickets of the greatest size in which little text becomes much. */
const size = 1_048_000;
test.each<[string, TicketDocument]>([
  ["hidden characters", { description: "\u202e".repeat(size) }],
  ["steps", { solution: Array.from({ length: size / 2 }, () => 1) }],
  ["hidden steps", { solution: Array.from({ length: size / 4 }, () => "\u202e") }],
  ["lines of a snippet", { solution: [{ description: "x", codeSnippet: "\n".repeat(size / 2) }] }],
  ["criteria", { acceptanceCriteria: Array.from({ length: size / 2 }, () => 1) }],
  ["a list in a text", { testPlan: JSON.stringify(Array.from({ length: size / 2 }, () => 1)) }],
  ["names", { problemStatement: Object.fromEntries(Array.from({ length: size / 12 }, (_, at) => [`\u202e${at}`, 1])) }],
])("C05 a whole ticket of %s passes its schema", (_what, document) => {
  expect(ticketContext.safeParse(presentContext(toContext(ticket(document)))).error).toBeUndefined();
});

test.each([
  ["context", ticketContext],
  ["summary", ticketSummary],
])("C05 every text and list of a %s has a maximum", (name, schema) => {
  expect(unbounded(z.toJSONSchema(schema, { io: "output" }), name)).toEqual([]);
});
