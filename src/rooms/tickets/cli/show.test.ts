import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CapturedStream, MemoryApp, run, withoutColours } from "../../../../test/harness/cli.ts";
import { memoryTicket } from "../../../../test/harness/memory-desk.ts";
import { localTime } from "../../../commons/cli/local-time.ts";
import { plainLines } from "../../../platform/terminal/text.ts";
import type { HistoryEntry } from "../model/ticket.ts";

const rich = memoryTicket({
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
    divergences: [{ area: "session", intended: "a day", actual: "an hour", justification: "auditors" }],
    commit: "abc123",
  },
});

function appWith(ticket: typeof rich): MemoryApp {
  const app = new MemoryApp();
  app.desk.tickets = [ticket];
  return app;
}

test("all that a ticket says", async () => {
  const { out, app } = await run("show t-001", { app: appWith(rich) });
  expect(app.desk.deeds).toEqual([["get", "t-001"]]);
  const [claimed, created, updated] = [rich.claim?.until ?? "", rich.createdAt, rich.updatedAt].map(localTime);
  expect(out).toBe(`T-001  Keep people signed in
  Status:     READY, can become CREATED, DRIFTED, VALIDATED, DRAFT, ARCHIVED
  Type:       feature
  Priority:   high
  Assignee:   grace
  Claimed:    by claude-code until ${claimed}
  Slug:       keep-people-signed-in
  Repository: shop
  Branch:     main
  Created:    ${created} by ada
  Updated:    ${updated} by ada
  Written by: others too: an assistant that reads it is held to what the ticket declares

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
  otherwise  session: an hour
             instead of: a day
             because: auditors
`);
});

test("what a ticket does not say has no heading", async () => {
  const bare = memoryTicket({ criteria: [], fileChanges: [], questions: [] });
  expect((await run("show T-001", { app: appWith(bare) })).out.trimEnd().split("\n\n")).toHaveLength(1);
});

test("an archived ticket can go back to where it was", async () => {
  const archived = memoryTicket({ status: "ARCHIVED", previousStatus: "DRIFTED" });
  expect((await run("show T-001", { app: appWith(archived) })).out).toContain("ARCHIVED, can become DRIFTED\n");
});

test("as JSON, the ticket without the document it came from", async () => {
  const { out } = await run("show T-001 --json", { app: appWith(rich) });
  const { document: _document, ...shown } = rich;
  expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(shown)));
});

test("a criterion made of its parts is shown once", async () => {
  const made = { text: "Given a session When it is old Then it ends", given: "a session", when: "it is old" };
  const ticket = memoryTicket({ criteria: [{ id: "AC-1", ...made, then: "it ends", notes: "soon" }] });
  const { out } = await run("show T-001", { app: appWith(ticket) });
  expect(out).toContain("  AC-1  Given a session When it is old Then it ends\n        Notes: soon\n\n");
});

test("pictures that are joined of several stay one", async () => {
  const { out } = await run("show T-001", { app: appWith(memoryTicket({ title: "For 👩\u200d💻 a\u200db" })) });
  expect(out).toContain("For 👩\u200d💻 a\\u200db\n");
});

describe("--history", () => {
  const until = "2026-11-02T12:00:00.000Z";

  test.each<[HistoryEntry["kind"], HistoryEntry["details"], string]>([
    ["created", { status: "DRAFT" }, "as DRAFT"],
    ["imported", { source: "a.json" }, "from a.json"],
    ["imported", { source: "a.json", replaced: { id: "T-001" } }, "from a.json, in place of what was there"],
    ["status", { from: "READY", to: "CREATED" }, "READY → CREATED"],
    ["updated", { former: { title: "Old", description: null } }, "title, description"],
    ["assigned", { from: "ada", to: "grace" }, "to grace, before: ada"],
    ["assigned", { from: "ada", to: null }, "to nobody, before: ada"],
    ["assigned", { from: null, to: "ada" }, "to ada"],
    [
      "started",
      { branch: "main", commit: "8527e39aa7cdd40b2e1c", assignee: "ada" },
      "on main at 8527e39, assigned to ada",
    ],
    ["started", {}, ""],
    ["claimed", { holder: "claude", until }, `by claude until ${localTime(until)}`],
    ["released", { holder: "claude" }, "from claude"],
    ["questions", { questions: ["Q-1", "Q-2"] }, "Q-1, Q-2"],
    ["answers", { questions: ["Q-1"] }, "Q-1"],
    ["completed", { from: "CREATED", filesChanged: [{ path: "a" }], branch: "main" }, "CREATED → COMPLETE"],
  ])("%s with %j", async (kind, details, words) => {
    const app = appWith(memoryTicket());
    app.desk.past = [{ at: "2026-11-01T12:00:00.000Z", by: "ada", kind, details: { ...details, call: "c1" } }];
    const { out } = await run("show T-001 --history", { app });
    expect(out.trimEnd().split("\n").at(-1)).toBe(
      `  ${localTime("2026-11-01T12:00:00.000Z")}  ada  ${kind}  ${words}`.trimEnd(),
    );
  });

  test("is the oldest first, a line each, and safe to show", async () => {
    const app = appWith(memoryTicket());
    const later = { at: "2026-11-03T12:00:00.000Z", by: "eve\x1b[2J" };
    const names = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`\n${index}`, null]));
    app.desk.past = [
      { at: "2026-11-01T12:00:00.000Z", by: "ada", agent: "claude", kind: "created", details: {} },
      { ...later, kind: "updated", details: { former: names } },
      { ...later, kind: "constructor" as "updated", details: { of: "a newer server" } },
    ];
    const { out } = await run("show T-001 --history", { app });
    const lines = out.slice(out.indexOf("History:")).trimEnd().split("\n");
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/ada \(claude\) +created$/);
    expect(lines[2]).toContain("eve\\x1b[2J");
    expect(lines[2]?.length).toBeLessThan(400);
    expect(lines[3]).toContain('{"of":"a newer server"}');
    const json = JSON.parse((await run("show T-001 --history --json", { app })).out);
    expect(json.history).toEqual(app.desk.past);
  });
});

test("an unknown id is the desk's error as it is, exit code 1", async () => {
  const { code, out, err } = await run("show ../../etc/passwd");
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toBe("error: There is no ticket ../../etc/passwd.\n  `forge list` shows those there are.\n");
});

/** C04: nothing that a ticket says moves a cursor, hides, or poses as a line of ours. */
test("whatever a ticket's texts hold, a terminal only shows them, indented", async () => {
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
  await fc.assert(
    fc.asyncProperty(nasty, nasty, async (text, more) => {
      const ticket = memoryTicket({
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
      const app = appWith(ticket);
      app.desk.get = async () => ticket;
      const stdout = new CapturedStream({ isTTY: true });
      await run(["show", "T-1"], { app, stdout });
      const shown = withoutColours(stdout.text);
      expect(plainLines(shown)).toBe(shown);
      const headings = shown.split("\n").filter((line) => line.startsWith("Status:"));
      expect(headings).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
