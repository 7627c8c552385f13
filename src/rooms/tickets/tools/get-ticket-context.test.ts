import { expect, it } from "vitest";
import { startTicketServer } from "../../../../test/harness/rooms/tickets/ticket-server.ts";
import { by } from "../../../../test/harness/rooms/tickets/tickets.ts";

const techSpec = {
  problemStatement: { narrative: "Users cannot end a session", assumptions: ["They have one"], constraints: [] },
  solution: { overview: "Endpoint and button", steps: [{ order: 1, description: "Route", file: "src/auth.ts" }] },
  acceptanceCriteria: [{ given: "a session", when: "I log out", then: "the cookie is gone" }],
  layeredFileChanges: { backend: [{ path: "src/logout.ts", action: "create" }] },
};

it("AC2 get_ticket_context gives a JSON string with every field, criteria and file changes among them", async () => {
  const { connect, tickets } = await startTicketServer();
  await tickets.create(by(), {
    title: "Add logout",
    description: "A button",
    problemStatement: "No way out",
    solution: "A route",
    acceptanceCriteria: ["The cookie is gone"],
    fileChanges: [{ path: "src/logout.ts", action: "create", notes: "new" }],
    apiChanges: "POST /logout",
    testPlan: "Unit tests",
    designRefs: ["https://example.org/design"],
    assignee: "bob",
    priority: "high",
    type: "feature",
  });
  const { call } = await connect();
  const { text, structured, isError } = await call("get_ticket_context", { ticketId: "T-001" });
  expect(isError).toBe(false);
  expect(JSON.parse(text)).toEqual(structured);
  expect(structured).toMatchObject({
    id: "T-001",
    title: "Add logout",
    description: "A button",
    problemStatement: "No way out",
    solution: "A route",
    acceptanceCriteria: ["The cookie is gone"],
    acceptanceCriteriaIds: ["AC-1"],
    fileChanges: [{ path: "src/logout.ts", action: "create", notes: "new" }],
    apiChanges: "POST /logout",
    testPlan: "Unit tests",
    designRefs: ["https://example.org/design"],
    status: "DRAFT",
    assignee: "bob",
    assignedTo: "bob",
    priority: "high",
    type: "feature",
    revision: 1,
  });
});

it("reads a server's shape, and always has criteria and files", async () => {
  const { connect, tickets } = await startTicketServer();
  const documents = [{ id: "aec_1", title: "Add logout", status: "approved", techSpec }, { title: "Bare" }];
  await tickets.import(
    by(),
    documents.map((document) => ({ document, source: "x.json" })),
    "refuse",
  );
  const { call } = await connect();
  expect((await call("get_ticket_context", { ticketId: "aec_1" })).structured).toMatchObject({
    status: "READY",
    problemStatement: expect.stringContaining("Users cannot end a session"),
    solution: expect.stringContaining("src/auth.ts"),
    acceptanceCriteria: ["Given a session When I log out Then the cookie is gone"],
    fileChanges: [{ path: "src/logout.ts", action: "create" }],
  });
  expect((await call("get_ticket_context", { ticketId: "T-001" })).structured).toMatchObject({
    acceptanceCriteria: [],
    fileChanges: [],
  });
});

it("AC11 answers with a structured error and goes on serving", async () => {
  const { connect, ledger } = await startTicketServer();
  const { call } = await connect();
  expect(await call("get_ticket_context", { ticketId: "T-404" })).toMatchObject({
    isError: true,
    body: { error: true, code: "NOT_FOUND", message: "Ticket T-404 not found.", suggestions: [expect.any(String)] },
  });
  for (const ticketId of [
    "../users",
    "T-1/../../x",
    "T-1?admin=1",
    "%2e%2e%2f",
    "T-1#",
    "T-1\nx",
    "https://e.org/T-1",
  ]) {
    expect(await call("get_ticket_context", { ticketId }), `C01 ${ticketId}`).toMatchObject({
      isError: true,
      body: { code: "VALIDATION_ERROR" },
    });
  }
  expect((await call("get_repository_context")).body).toMatchObject({ error: "Not a git repository" });
  expect((await call("list_tickets")).structured).toEqual({ tickets: [] });
  const [first] = await ledger.latest({ name: "get_ticket_context" });
  expect(first).toMatchObject({ outcome: "error", code: "NOT_FOUND", about: ["ticket:T-404"] });
});

it("H04 shows what is hidden in a ticket's text, and says so", async () => {
  const { connect, tickets } = await startTicketServer();
  await tickets.create(by(), { title: "Odd \u202etext", description: "a\u200bb\nc \u{e0041}" });
  const { call } = await connect();
  expect((await call("get_ticket_context", { ticketId: "T-001" })).structured).toMatchObject({
    title: expect.stringMatching(/^Odd \\u\{?202e\}?text$/),
    description: expect.not.stringMatching(/[\u200b\u{e0041}]/u),
    warnings: [expect.stringContaining("3")],
  });
});
