import { expect, test } from "vitest";
import { TicketCli } from "../../../../test/harness/rooms/tickets/ticket-cli.ts";
import { userName } from "../../../platform/host/user-name.ts";

const document = {
  id: "T-007",
  slug: "acme-1",
  type: "bug",
  priority: "high",
  assignedTo: "grace",
  createdBy: "linus",
  createdAt: "2026-01-02T03:04:05.000Z",
  description: "People are\nsigned out.",
  acceptanceCriteria: ["A reload keeps the session."],
  questions: [{ question: "For how long?", blocking: true }],
};

test("shows a ticket by its id in any case, or its slug", async () => {
  const cli = new TicketCli();
  await cli.add(document);
  const shown = await cli.do("show t-7");
  expect(shown).toContain("T-007  Keep people signed in\n  Status:     READY, can move to ");
  expect(shown).toContain("Description:\n  People are\n  signed out.\n");
  expect(shown).toContain("  Q-1  For how long?  open, BLOCKING");
  expect(shown).toMatch(/\n {2}Imported: {3}author linus, created 2026-01-0\d .*\(according to the file\)\n/);
  expect(await cli.do("show acme-1")).toBe(shown);
  expect(await cli.do("ticket show T-007")).toBe(shown);
});

test("--json has the ticket without the document it came in, and its history where that is asked for", async () => {
  const cli = new TicketCli();
  await cli.add(document);
  const json = await cli.json("show T-007");
  expect(json).toMatchObject({
    id: "T-007",
    slug: "acme-1",
    type: "bug",
    priority: "high",
    assignee: "grace",
    createdBy: userName(),
    updatedBy: userName(),
    revision: 1,
    foreign: true,
    criteria: [{ id: "AC-1", text: "A reload keeps the session." }],
    questions: [{ id: "Q-1", question: "For how long?", blocking: true }],
    designRefs: [],
  });
  expect(json).not.toHaveProperty("document");
  expect(json).not.toHaveProperty("history");
  await cli.do("status T-007 created", { atKeyboard: true });
  const { history } = await cli.json("show T-007 --history");
  expect(history).toMatchObject([
    { kind: "imported", by: userName() },
    { kind: "status", details: { from: "READY", to: "CREATED" } },
  ]);
  expect(await cli.do("show T-007 --history")).toMatch(/\nHistory:\n.*imported.*\n.*READY → CREATED$/);
});

test.each([
  ["T-009", "error: Ticket T-009 not found.\n  Run `forge list` to see all tickets.\n"],
  [
    "../../etc/passwd",
    "error: ID: must be a ticket id like T-001: letters, digits, _ and - only.\n  Run `forge show --help` to see how it is used.\n",
  ],
])("%s is an error with what to do next", async (id, message) => {
  const { code, out, err } = await new TicketCli().run(["show", id]);
  expect({ code, out, err }).toEqual({ code: 1, out: "", err: message });
});
