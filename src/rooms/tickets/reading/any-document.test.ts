import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../../test/harness/commons/any-character.ts";
import { limits } from "../model/limits.ts";
import type { TicketDocument } from "../model/ticket.ts";
import { toContext } from "./context.ts";
import { ticketContext } from "./context-schemas.ts";
import { readFacts } from "./facts.ts";
import { readContent } from "./read-content.ts";

const names = fc.constantFrom(
  ...[
    "techSpec",
    "description",
    "problemStatement",
    "narrative",
    "whyItMatters",
    "solution",
    "overview",
    "steps",
    "order",
  ],
  ...[
    "acceptanceCriteria",
    "acceptanceCriteriaIds",
    "acceptanceCriteriaUsed",
    "given",
    "when",
    "then",
    "text",
    "notes",
  ],
  ...[
    "fileChanges",
    "layeredFileChanges",
    "create",
    "backend",
    "path",
    "action",
    "apiChanges",
    "endpoints",
    "route",
    "dto",
  ],
  ...[
    "testPlan",
    "unitTests",
    "testName",
    "designRefs",
    "designReferences",
    "url",
    "assumptions",
    "inScope",
    "outOfScope",
  ],
  ...[
    "questions",
    "question",
    "answer",
    "reviewSession",
    "qaItems",
    "changeRecord",
    "filesChanged",
    "divergences",
    "area",
  ],
  ...["repositoryContext", "repositories", "implementationBranch", "id", "slug", "title", "status", "previousStatus"],
  ...["priority", "type", "assignedTo", "createdAt", "driftDetectedAt", "additions", "submittedAt", "blocking"],
  ...["__proto__", "constructor", "toString", "length"],
);
const texts = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom("AC-1", "AC-2", "Q-1", "archived", "executing", "2026-03-01T10:00:00.000Z", "a\u202eb", "{", "[]"),
);
const { value: values } = fc.letrec<{ value: unknown; record: unknown }>((tie) => ({
  record: fc
    .array(fc.tuple(names, tie("value")), { maxLength: 6 })
    // As JSON has it: `__proto__` is a name like any other.
    .map((entries) => Object.fromEntries(entries)),
  value: fc.oneof(
    { depthSize: "medium" },
    texts,
    fc.jsonValue({ maxDepth: 2 }),
    fc.double(),
    tie("record"),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("record").map((record) => JSON.stringify(record)),
  ),
}));
const documents: fc.Arbitrary<TicketDocument> = fc
  .array(fc.tuple(names, values), { maxLength: 12 })
  .map((entries) => Object.fromEntries(entries) as TicketDocument);

test("any document is read, the same way each time, and nothing else is touched", () => {
  const prototype = Object.getOwnPropertyNames(Object.prototype);
  fc.assert(
    fc.property(documents, (document) => {
      const before = structuredClone(document);
      const content = readContent(document);
      expect(readContent(document)).toEqual(content);
      expect(document).toEqual(before);
      const ids = content.criteria.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(id).toMatch(/^AC-[1-9]\d*$/);
      const asked = content.questions.map(({ id }) => id);
      expect(new Set(asked).size).toBe(asked.length);
      const paths = content.fileChanges.map(({ path }) => path);
      expect(new Set(paths).size).toBe(paths.length);
    }),
    { numRuns: 1000 },
  );
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototype);
});

test("any document's context passes its schema", () => {
  const title = fc.string({ unit: anyCharacter, maxLength: limits.title });
  fc.assert(
    fc.property(documents, title, title, (document, title, assignee) => {
      const moment = "2026-03-01T10:00:00.000Z";
      const facts = { id: "T-001", title, assignee, status: "DRAFT", createdAt: moment, updatedAt: moment } as const;
      const context = toContext({ ...facts, revision: 1, foreign: true, ...readContent(document), document });
      const parsed = ticketContext.safeParse(context);
      expect(parsed.error).toBeUndefined();
      expect(parsed.data).toEqual(context);
    }),
    { numRuns: 1000 },
  );
});

test("any document's facts are read, and are such as the store takes", () => {
  fc.assert(
    fc.property(documents, (document) => {
      const { warnings: _, ...facts } = readFacts(document);
      for (const fact of Object.values(facts)) expect(fact).toMatch(/./su);
      if (facts.id !== undefined) expect(facts.id).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]*$/);
      if (facts.createdAt !== undefined) expect(new Date(facts.createdAt).toISOString()).toBe(facts.createdAt);
      expect((facts.title ?? "").length).toBeLessThanOrEqual(limits.title);
      expect((facts.assignee ?? "").length).toBeLessThanOrEqual(limits.name);
    }),
    { numRuns: 1000 },
  );
});

test("what is no document at all says nothing", () => {
  fc.assert(
    fc.property(fc.constantFrom<unknown>(null, 1, "x", [], [1], true), (value) => {
      expect(readContent(value as TicketDocument).criteria).toEqual([]);
      expect(readFacts(value as TicketDocument)).toEqual({ warnings: [] });
    }),
  );
});
