import * as fc from "fast-check";
import { expect, test } from "vitest";
import { withoutColours } from "../../../../../test/harness/cli/cli.ts";
import { ticketView } from "../../../../../test/harness/rooms/tickets/ticket-view.ts";
import { localTime } from "../../../../commons/cli/print/local-time.ts";
import { colourStyle, noStyle } from "../../../../platform/terminal/style.ts";
import { plainLines } from "../../../../platform/terminal/text.ts";
import type { TicketView } from "../../model/ticket/ticket-view.ts";
import { describeTicket } from "./describe-ticket.ts";

const rich = ticketView({
  assignee: "grace",
  claim: { holder: "claude-code", until: "2026-11-02T10:00:00.000Z" },
  repository: "shop",
  branch: "main",
  foreign: true,
  description: "People are\nsigned out.\n",
  problemStatement: "A reload signs out.",
  solution: "1. Keep the token.\r\n2. Renew it.",
  criteria: [
    { id: "AC-1", text: "A reload keeps the session." },
    { id: "AC-2", text: "An old one ends.", given: "a session of yesterday", when: "it is used", then: "it ends" },
  ],
  fileChanges: [
    { path: "src/session.ts", action: "modify", notes: "keep it short" },
    { path: "src/old.ts", action: "delete", layer: "backend" },
  ],
  apiChanges: "None.",
  testPlan: "Reload it.",
  designRefs: ["https://example.com/d"],
  assumptions: ["Cookies work."],
  inScope: ["web"],
  outOfScope: ["phones"],
  questions: [
    { id: "Q-1", question: "For guests?", answer: "No." },
    { id: "Q-2", question: "Which cookie?", category: "technical" },
    { id: "Q-3", question: "For how long?", blocking: true },
  ],
  reviewSession: {
    qaItems: [
      { question: "Tested?", answer: "Yes." },
      { question: "For guests?", answer: "No." },
    ],
  },
  changeRecord: {
    executionSummary: "Kept.",
    filesChanged: [{ path: "src/session.ts", additions: 10, deletions: 2 }],
    divergences: [{ area: "session", intended: "a day", actual: "an hour", justification: "auditors asked" }],
    commit: "abc123",
  },
});

const shown = (ticket: TicketView) => `${describeTicket(ticket, { style: noStyle })}\n`;

test("everything in a ticket", () => {
  const [claimed, created, updated] = [rich.claim?.until ?? "", rich.createdAt, rich.updatedAt].map(localTime);
  expect(shown(rich)).toBe(`T-001  Keep people signed in
  Status:     READY, can move to CREATED, DRIFTED, VALIDATED, DRAFT, ARCHIVED
  Type:       feature
  Priority:   high
  Assignee:   grace
  Claimed:    by claude-code until ${claimed}
  Slug:       keep-people-signed-in
  Repository: shop
  Branch:     main
  Created:    ${created} by ada
  Updated:    ${updated} by ada
  Contains text by others: assistants may only change what this ticket lists, unless you approve more.

Description:
  People are
  signed out.

Problem:
  A reload signs out.

Solution:
  1. Keep the token.
  2. Renew it.

Acceptance criteria:
  AC-1  A reload keeps the session.
  AC-2  An old one ends.
        Given: a session of yesterday
        When: it is used
        Then: it ends

Files:
  modify  src/session.ts
          keep it short
  delete  src/old.ts (backend)

API changes:
  None.

Tests:
  Reload it.

Designs:
  -  https://example.com/d

Assumptions:
  -  Cookies work.

In scope:
  -  web

Out of scope:
  -  phones

Questions:
  Q-3  For how long?  open, BLOCKING
  Q-2  Which cookie? (technical)  open
  Q-1  For guests?
       → No.

Review:
  Q  Tested?
  A  Yes.

Done:
  Kept.
  commit  abc123
  src/session.ts  +10 -2
  -  Divergence in session: planned a day, did an hour, because auditors asked
`);
});

test("an empty part has no heading", () => {
  const bare = ticketView({ criteria: [], fileChanges: [], questions: [] });
  expect(shown(bare).trimEnd().split("\n\n")).toHaveLength(1);
  expect(shown(bare)).toContain("  Assignee:   unassigned\n");
});

test("an archived ticket can go back to its previous status", () => {
  const archived = ticketView({ status: "ARCHIVED", previousStatus: "DRIFTED" });
  expect(shown(archived)).toContain("ARCHIVED, can move to DRIFTED\n");
});

test("a criterion that is made of its parts is shown once", () => {
  const made = { text: "Given a session When it is old Then it ends", given: "a session", when: "it is old" };
  const ticket = ticketView({ criteria: [{ id: "AC-1", ...made, then: "it ends", notes: "soon" }] });
  expect(shown(ticket)).toContain("  AC-1  Given a session When it is old Then it ends\n        Notes: soon\n\n");
});

test("joined emoji stay one", () => {
  expect(shown(ticketView({ title: "For 👩\u200d💻 a\u200db" }))).toContain("For 👩\u200d💻 a\\u200db\n");
});

test("C04 whatever a ticket's texts contain, a terminal only shows them, indented", () => {
  const nasty = fc.string({
    unit: fc.constantFrom(
      "\x1b[2J",
      "\x1b]0;x\x07",
      "\r",
      "\n",
      "\t",
      "\u202e",
      "\u200b",
      "\u2028",
      "Status: COMPLETE",
      "é",
    ),
    maxLength: 12,
  });
  fc.assert(
    fc.property(nasty, nasty, (text, more) => {
      const ticket = ticketView({
        id: `T-1${more}`,
        title: text,
        slug: more,
        assignee: text,
        createdBy: more,
        description: text,
        testPlan: more,
        designRefs: [text],
        criteria: [{ id: more, text, given: more }],
        fileChanges: [{ path: text, action: "create", notes: more, layer: text }],
        questions: [{ id: text, question: more, answer: text, category: more }],
        claim: { holder: text, until: more },
        changeRecord: { executionSummary: text, branch: more, filesChanged: [{ path: text }] },
      });
      const output = withoutColours(describeTicket(ticket, { style: colourStyle }));
      expect(plainLines(output)).toBe(output);
      expect(output.split("\n").filter((line) => line.startsWith("Status:"))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
