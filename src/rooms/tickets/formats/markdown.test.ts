import { describe, expect, it } from "vitest";
import { decodeTickets, encodeTicket } from "./index.ts";

const read = (text: string) => decodeTickets(text, { format: "markdown", source: "ticket.md" });
const document = (text: string) => read(text).documents[0];

describe("Markdown written by hand", () => {
  it("needs nothing but a title", () => {
    expect(read("# Add logout")).toEqual({ documents: [{ title: "Add logout" }], format: "markdown", warnings: [] });
  });

  it("has the description before the first section, and criteria as any list", () => {
    const text =
      "# Add logout\r\n\r\nFirst.\r\n\r\nSecond.\r\n\r\n## Acceptance criteria\r\n\r\n- [ ] One\r\n- [x] Two,\r\n  with more\r\n* Three\r\n4. Four\r\n";
    expect(document(text)).toEqual({
      title: "Add logout",
      description: "First.\n\nSecond.",
      acceptanceCriteria: ["One", "Two,\nwith more", "Three", "Four"],
    });
  });

  it("keeps sections it does not know in the description, with their headings", () => {
    const text = "# T\n\nIntro.\n\n## Background\n\nLong ago.\n\n## Solution\n\nDo it.\n\n## Risks\n\nSome.\n";
    expect(document(text)).toEqual({
      title: "T",
      description: "Intro.\n\n## Background\n\nLong ago.\n\n\n## Risks\n\nSome.",
      solution: "Do it.",
    });
  });

  it("says so where a section comes twice, and loses none", () => {
    const { documents, warnings } = read("# T\n## Solution\nOne\n## Solution\nTwo");
    expect(documents).toEqual([{ title: "T", solution: "One", description: "## Solution\nTwo" }]);
    expect(warnings).toEqual(['Line 4: a second "Solution" section was moved to the description.']);
  });

  it("takes no heading out of a code block, and no block that is never closed for one", () => {
    expect(document("# T\n\n```sh\n## Solution\n```\n\n## Solution\n\n```\nopen\n\n## Scope\n\n- In")).toEqual({
      title: "T",
      description: "```sh\n## Solution\n```",
      solution: "```\nopen",
      inScope: ["In"],
    });
  });

  it("has facts in front, as words or in quotes", () => {
    const { documents, warnings } = read('---\nstatus: ready\nassignee: "Ann \\"A\\""\nmood: good\n---\n# T');
    expect(documents).toEqual([{ title: "T", status: "ready", assignee: 'Ann "A"' }]);
    expect(warnings).toEqual(['Line 4: "mood" is unknown and was left out.']);
  });

  it("warns at most fifty times, and says how often it would have", () => {
    const { warnings } = read(`---\n${"mood: good\n".repeat(60)}---\n# T`);
    expect(warnings).toHaveLength(51);
    expect(warnings.at(-1)).toBe("And 10 more warnings.");
  });

  it("may begin with a comment to whoever edits it", () => {
    expect(document("<!-- Line 3 is\nwrong -->\n\n---\nid: T-1\n---\n# T")).toEqual({ title: "T", id: "T-1" });
  });

  it.each([
    ["a table", "| File | Action | Notes |\n|---|:---:|---|\n| `src/a.ts` | modify | a \\| b |"],
    ["a list", "- `src/a.ts` (modify): a | b"],
  ])("has file changes as %s", (_, files) => {
    expect(document(`# T\n## Files\n${files}`)).toEqual({
      title: "T",
      fileChanges: [{ path: "src/a.ts", action: "modify", notes: "a | b" }],
    });
  });

  it("has structure where its headings say so", () => {
    const text = `# T
## Problem Statement
Bad.
### Why It Matters
People.
### Assumptions
- A
## Solution
Good.
### Steps
1. Route
   File: src/a.ts
2. Button
## Acceptance Criteria
### AC-1
- **Given** a
- **When** b
- **Then** c
## File Changes
### Backend
| Path | Action |
| --- | --- |
| a.ts | create |
## API Endpoints
| Method | Route | Auth | Status | Description |
| --- | --- | --- | --- | --- |
| POST | /x |  | new | Ends |
## Dependencies & Packages
- zod
## Test Plan
All.
### Unit Tests
- **ends** (\`a.test.ts\`): calls
### Edge Cases
- twice
## Scope
### In Scope
- web
### Out of Scope
- mobile`;
    expect(document(text)).toEqual({
      title: "T",
      inScope: ["web"],
      outOfScope: ["mobile"],
      techSpec: {
        problemStatement: { narrative: "Bad.", whyItMatters: "People.", assumptions: ["A"] },
        solution: {
          overview: "Good.",
          steps: [
            { order: 1, description: "Route", file: "src/a.ts" },
            { order: 2, description: "Button" },
          ],
        },
        acceptanceCriteria: [JSON.parse('{"id":"AC-1","given":"a","when":"b","then":"c"}')],
        layeredFileChanges: { backend: [{ path: "a.ts", action: "create" }] },
        apiChanges: { endpoints: [{ method: "POST", route: "/x", status: "new", description: "Ends" }] },
        dependencies: ["zod"],
        testPlan: {
          summary: "All.",
          unitTests: [{ type: "unit", testName: "ends", testFile: "a.test.ts", description: "calls" }],
          edgeCases: ["twice"],
        },
      },
    });
  });
});

describe("our Markdown", () => {
  it("has its sections in the order of the export, and nothing hidden where nothing is", () => {
    const ticket = {
      title: "Add logout",
      id: "T-001",
      status: "READY",
      description: "Plain.\n\n## Background\n\nOld.",
      outOfScope: ["mobile"],
      testPlan: "Try it.",
      fileChanges: [{ path: "a|b.ts", action: "modify" }],
      acceptanceCriteria: ["One\nmore", "Two"],
      solution: "Do.\n\n## Scope\n\nNo scope.",
      problemStatement: "Bad.",
    };
    const text = `---
id: "T-001"
status: "READY"
---

# Add logout

Plain.

## Background

Old.

## Problem Statement

Bad.

## Solution

Do.

\\## Scope

No scope.

## Acceptance Criteria

1. One
   more
2. Two

## File Changes

| Path | Action |
| --- | --- |
| a\\|b.ts | modify |

## Test Plan

Try it.

## Scope

### Out of Scope

- mobile
`;
    expect(encodeTicket({ ...ticket, solution: "Do.\n\n## Scope\n\nNo scope." }, "markdown")).toBe(text);
    expect(document(text)).toEqual(ticket);
  });

  it("shows no character that hides or moves text in its facts", () => {
    expect(encodeTicket({ title: "T", assignee: "a\u202eb\n" }, "markdown")).toContain('assignee: "a\\u202eb\\n"');
  });
});
