import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../../test/harness/commons/any-character.ts";
import { type TicketFormat, ticketFormats } from "../model/limits.ts";
import type { TicketDocument } from "../model/ticket.ts";
import { decodeTickets, editableText, encodeTicket, readEdited } from "./index.ts";
import { parseXml } from "./xml/tree.ts";

const back = (text: string, format: TicketFormat) => {
  const { documents, warnings } = decodeTickets(text, { format, source: "a file" });
  return { document: documents[0], warnings };
};

/** As it is after a while on a disk, where lone surrogates do not exist. */
const throughUtf8 = (text: string) => Buffer.from(text, "utf8").toString("utf8");

const hostile = fc.constantFrom(
  "]]>",
  "a]]>b]]]]>",
  "-->",
  "<!-- forge:remainder {} -->",
  "\\<!-- forge:remainder {} -->",
  "</ticket>",
  "</narrative></problemStatement>",
  "&amp;&lol;",
  "one\r\ntwo\rthree\n",
  "  blanks around  ",
  "\n\nlines around\n\n",
  "nul \0 bell \x07 escape \x1b",
  "lone \ud800 and \udc00 reversed",
  "\ufffe\uffff\ufeff",
  "\u2028\u2029\u0085\u200b\u202e",
  "text\n## Acceptance Criteria\n- no criterion",
  "text\n## Something else\n\nmore",
  "\\## Solution\n\\\\## Solution",
  "### AC-1\n### Steps\n### Unit Tests",
  "```\n## Solution\n```",
  "```\n## Solution never closed",
  "~~~~\nnever closed\n```\n~~~",
  "a | b \\| c \\",
  "| a | b |\n| --- | --- |\n| c | d |",
  "- one\n- two\n\n  three\n1. four",
  "[ ] a box",
  "**Given** a\n- **Then** b",
  "**name** (`file`): text",
  "x\nFile: y",
  "<br>",
  "# title",
  "---",
  "",
  " ",
  "constructor",
);
const text = fc.oneof(
  hostile,
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: "grapheme" }),
  fc.array(hostile, { maxLength: 3 }).map((pieces) => pieces.join("\n")),
  fc.string({ unit: fc.constantFrom("#", "`", "~", "|", "-", "\\", "<", "\n", " ", "*", "a", "\r", "\ud800") }),
);
const anything = fc.jsonValue({ maxDepth: 3 });
/** Mostly what a ticket has there, sometimes anything. */
const or = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary }, { weight: 1, arbitrary: anything }, { weight: 1, arbitrary: fc.constant(null) });
const some = (model: Record<string, fc.Arbitrary<unknown>>) => or(fc.record(model, { requiredKeys: [] }));
const list = (item: fc.Arbitrary<unknown>) => or(fc.array(item, { maxLength: 3 }));
const texts = list(or(text));
const allText = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));
const criteria = list(
  or(fc.oneof(text, some(allText("id", "text", "given", "when", "then", "notes", "implementationNotes")))),
);
const file = some({
  path: or(text),
  action: or(fc.constantFrom("create", "modify", "delete")),
  notes: text,
  layer: fc.constantFrom("backend", "elsewhere"),
  pattern: anything,
});
const tests = list(or(fc.oneof(text, some({ type: text, testName: text, testFile: text, description: text }))));
const problem = or(
  fc.oneof(
    text,
    some({
      narrative: or(text),
      whyItMatters: text,
      context: text,
      assumptions: texts,
      constraints: texts,
      mood: anything,
    }),
  ),
);
const solution = or(
  fc.oneof(
    text,
    texts,
    some({
      overview: or(text),
      steps: list(some({ order: or(fc.nat(9)), description: text, file: text, codeSnippet: text })),
      fileChanges: some({ create: list(or(text)), modify: list(file), delete: list(text) }),
    }),
  ),
);
const api = or(
  fc.oneof(
    text,
    some({
      endpoints: list(
        some({ method: text, route: text, authentication: text, status: text, description: text, dto: anything }),
      ),
    }),
  ),
);
const plan = or(fc.oneof(text, some({ summary: text, unitTests: tests, integrationTests: tests, edgeCases: tests })));
const shared = {
  problemStatement: problem,
  solution,
  acceptanceCriteria: criteria,
  fileChanges: list(file),
  apiChanges: api,
  testPlan: plan,
  inScope: texts,
  outOfScope: texts,
};
const techSpec = some({
  ...shared,
  layeredFileChanges: some({ backend: list(file), frontend: list(file), moon: list(file) }),
  dependencies: texts,
  qualityScore: or(fc.double()),
  stack: some({ language: text, framework: text }),
  visualExpectations: or(text),
  designTokens: or(text),
});
const documents = fc
  .tuple(
    text.filter((title) => title.trim() !== ""),
    fc.record(
      {
        ...shared,
        techSpec,
        description: or(text),
        assumptions: texts,
        designRefs: texts,
        questions: anything,
        repositoryContext: some({ repositoryFullName: text, branchName: text, commitSha: text }),
        ...Object.fromEntries(
          ["id", "slug", "status", "type", "priority", "assignee", "assignedTo", "createdAt"].map((name) => [
            name,
            or(text),
          ]),
        ),
      },
      { requiredKeys: [] },
    ),
    fc.dictionary(fc.oneof(text, fc.constantFrom("__proto__", "constructor", "homes")), anything, { maxKeys: 3 }),
  )
  .map(
    ([title, known, others]): TicketDocument => JSON.parse(withProto(JSON.stringify({ ...others, ...known, title }))),
  );

/** An own `__proto__`, as only JSON can make one. */
function withProto(json: string): string {
  return json.length % 3 === 0 ? `{"__proto__":{"polluted":true},${json.slice(1)}` : json;
}

describe.each(ticketFormats)("a ticket as %s", (format) => {
  it("comes back exactly as it was, whatever is in it", () => {
    fc.assert(
      fc.property(documents, (document) => {
        const { document: read, warnings } = back(throughUtf8(encodeTicket(document, format)), format);
        expect(read).toEqual(document);
        expect(JSON.stringify(sorted(read))).toBe(JSON.stringify(sorted(document)));
        expect(warnings).toEqual([]);
        expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
        expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
      }),
      { numRuns: 400 },
    );
  });
});

describe("a ticket as XML", () => {
  it("H02 is well-formed whatever is in it", () => {
    fc.assert(
      fc.property(documents, (document) => {
        const root = parseXml(encodeTicket(document, "xml"), "ours");
        expect(root).toMatchObject({ name: "ticket", attributes: { version: "1.0" } });
        const order = [
          "metadata",
          "specification",
          "implementation",
          "designTokens",
          "acceptanceCriteria",
          "forge:remainder",
        ];
        const names = root.children.map(({ name }) => name);
        expect(names).toEqual(order.filter((name) => names.includes(name)));
      }),
      { numRuns: 200 },
    );
  });
});

describe("a ticket in an editor", () => {
  it("keeps every character when nothing is edited", () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(readEdited(throughUtf8(editableText(document)))).toEqual({ document, warnings: [] });
      }),
      { numRuns: 200 },
    );
  });
});

/** Keys in one order, so that texts can be compared: also what toEqual would forgive. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => [key, sorted(part)]);
}
