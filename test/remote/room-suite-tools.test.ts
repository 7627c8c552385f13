import { describe, expect } from "vitest";
import { catalog } from "../../src/app/catalog.ts";
import type { Reply } from "./room.ts";
import { onBoth } from "./room-suite.ts";
import { serveOneTeamServer } from "./room-team.ts";

const server = serveOneTeamServer();

const draft = {
  title: "Add logout",
  description: "A button in the header.",
  problemStatement: "Users cannot end a session.",
  solution: "1. Route\n2. Button",
  acceptanceCriteria: ["The cookie is gone", "The page says so"],
  fileChanges: [{ path: "src/logout.ts", action: "create", notes: "New" }],
  apiChanges: "POST /logout",
  testPlan: "By hand",
  designRefs: ["https://example.com/design"],
  assumptions: ["Cookies"],
  inScope: ["Web"],
  outOfScope: ["Mobile"],
  priority: "high",
  type: "feature",
};

const idsIn = ({ value }: Reply) => (value["tickets"] as { id: string }[]).map(({ id }) => id);

describe("the tools say the same of the project's own tickets and of a team's", () => {
  onBoth(server, "what is offered", async (room) => {
    const { client } = await room.connect();
    const { tools } = await client.listTools();
    room.note("tools", tools);
    const own = catalog.find(({ name }) => name === "tickets")?.tools.map(({ name }) => name) ?? [];
    expect(own).toHaveLength(9);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(own));
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    room.note("resources", { resources, resourceTemplates, instructions: client.getInstructions() });
  });

  onBoth(server, "a ticket is written and read", async (room) => {
    const { call } = await room.connect();
    expect((await call("create_ticket", draft)).value).toMatchObject({ ticketId: "T-001", revision: 1 });
    expect((await call("get_ticket_context", { ticketId: "t-1" })).value).toMatchObject({ title: "Add logout" });
    await call("get_file_changes", { ticketId: "T-1" });
    await call("create_ticket", { title: "  Ready at once ", status: "READY", assignee: "grace" });
    await call("get_ticket_context", { ticketId: "T-002" });
    await call("create_ticket", { title: "Mine", assignee: "me" });
    expect((await call("get_ticket_context", { ticketId: "T-003" })).value).not.toMatchObject({ assignee: "me" });
    await call("create_ticket", {
      title: "日本語 👩‍👩‍👧 \u202Eevil",
      description: "a\u0000bc\u200b",
      assumptions: [""],
    });
    await call("get_ticket_context", { ticketId: "T-004" });
    expect(idsIn(await call("list_tickets"))).toEqual(["T-004", "T-003", "T-002", "T-001"]);
  });

  onBoth(server, "input that is wrong is refused in the same words", async (room) => {
    const { call } = await room.connect();
    const wrong: [string, Record<string, unknown>][] = [
      ["create_ticket", {}],
      ["create_ticket", { title: "ab" }],
      ["create_ticket", { title: "x".repeat(301) }],
      ["create_ticket", { title: "Done at once", status: "COMPLETE" }],
      ["create_ticket", { title: "With NUL \0" }],
      ["create_ticket", { title: "Half a character", description: "a\ud800" }],
      ["create_ticket", { title: "Outside", fileChanges: [{ path: "../x", action: "create" }] }],
      ["create_ticket", { title: "Unknown field", colour: "red" }],
      ["create_ticket", { title: "Too long", description: "x".repeat(262_145) }],
      ["get_ticket_context", { ticketId: "../users" }],
      ["get_ticket_context", { ticketId: "" }],
      ["get_file_changes", {}],
      ["update_ticket", { ticketId: "T-001" }],
      ["update_ticket", { ticketId: "T-001", expectedRevision: 0, title: "Title" }],
      ["update_ticket_status", { ticketId: "T-001", status: "NOWHERE" }],
      ["claim_ticket", { ticketId: "T-001", minutes: 481 }],
      ["claim_ticket", { ticketId: "T-001", worker: " " }],
      ["submit_review_questions", { ticketId: "T-001", questions: [] }],
      ["submit_review_questions", { ticketId: "T-001", questions: [{ question: "?" }] }],
      ["list_tickets", { limit: 0 }],
      ["list_tickets", { limit: 201 }],
      ["list_tickets", { status: [] }],
      ["list_tickets", { cursor: "nonsense" }],
      ["list_tickets", { assignee: "x".repeat(201) }],
      ["get_repository_context", { path: "../.." }],
    ];
    await call("create_ticket", draft);
    for (const [tool, args] of wrong) {
      const { isError } = await call(tool, args);
      expect(isError, JSON.stringify([tool, args]).slice(0, 200)).toBe(true);
    }
    expect(idsIn(await call("list_tickets"))).toEqual(["T-001"]);
  });

  onBoth(server, "an id that is unknown comes with those that are near", async (room) => {
    const { call } = await room.connect();
    await call("get_ticket_context", { ticketId: "T-001" });
    for (const title of ["First", "Second", "Third"]) await call("create_ticket", { title });
    for (const ticketId of ["T-011", "t-4", "acme-7", "T-999999999999999999", "x".repeat(100)]) {
      const { value } = await call("get_ticket_context", { ticketId });
      expect(value).toMatchObject({ code: "NOT_FOUND" });
      await call("get_file_changes", { ticketId });
      await call("update_ticket", { ticketId, title: "None" });
      await call("update_ticket_status", { ticketId, status: "READY" });
      await call("claim_ticket", { ticketId });
      await call("submit_review_questions", { ticketId, questions: [{ question: "Which one?" }] });
    }
  });

  onBoth(server, "lists are filtered and come a page at a time", async (room) => {
    const { call } = await room.connect();
    expect((await call("list_tickets")).value).toEqual({ tickets: [] });
    await call("create_ticket", { ...draft, assignee: "Grace Hopper, PhD & Co" });
    await call("create_ticket", { title: "Second", type: "bug", priority: "low", status: "READY" });
    await call("create_ticket", { title: "Third one", status: "VALIDATED", assignee: "me" });
    await call("create_ticket", { title: "Fourth of them" });
    await call("update_ticket_status", { ticketId: "T-004", status: "ARCHIVED" });
    const filters: [Record<string, unknown>, string[]][] = [
      [{ status: ["ARCHIVED", "READY"] }, ["T-004", "T-002"]],
      [{ status: ["COMPLETE"] }, []],
      [{ assignee: "Grace Hopper, PhD & Co" }, ["T-001"]],
      [{ assignee: "" }, []],
      [{ assignee: "me" }, ["T-003"]],
      [{ filter: "mine" }, ["T-003"]],
      [{ filter: "all" }, ["T-003", "T-002", "T-001"]],
      [{ priority: "low", type: "bug" }, ["T-002"]],
      [{ text: "COOKIE header" }, ["T-001"]],
      [{ text: "" }, ["T-003", "T-002", "T-001"]],
      [{ text: "%' OR 1=1 --" }, []],
      [{ text: "logout.ts" }, ["T-001"]],
      [{ text: "x".repeat(9_000) }, []],
      [{ cursor: "999999" }, []],
    ];
    for (const [filter, ids] of filters) {
      const answer = await call("list_tickets", filter);
      if (filter["cursor"] === undefined) expect([filter, idsIn(answer)]).toEqual([filter, ids]);
    }
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page = await call("list_tickets", { limit: 1, ...(cursor !== undefined && { cursor }) });
      seen.push(...idsIn(page));
      cursor = page.value["nextCursor"];
    } while (cursor !== undefined);
    expect(seen).toEqual(["T-003", "T-002", "T-001"]);
  });

  onBoth(server, "what a ticket says is changed, and refused to who has not seen it", async (room) => {
    const { call } = await room.connect();
    const { call: other } = await room.connect("other");
    await call("create_ticket", draft);
    const shown = async () => (await call("get_ticket_context", { ticketId: "T-001" })).value;
    const changes = { title: "Add sign-out", description: "", acceptanceCriteria: ["New", "The page says so"] };
    expect((await call("update_ticket", { ticketId: "t-1", ...changes, expectedRevision: 1 })).value).toMatchObject({
      revision: 2,
      acceptanceCriteriaIds: ["AC-1", "AC-2"],
    });
    await shown();
    expect(
      (await other("update_ticket", { ticketId: "T-001", title: "Mine", expectedRevision: 1 })).value,
    ).toMatchObject({
      code: "CONFLICT_ERROR",
      details: { expectedRevision: 1, currentRevision: 2 },
    });
    await other("update_ticket", { ticketId: "T-001", title: "Add sign-out", expectedRevision: 1 });
    await other("update_ticket", { ticketId: "T-001", title: "Add sign-out", expectedRevision: 9 });
    expect((await other("update_ticket", { ticketId: "T-001", title: "Add sign-out" })).value).toMatchObject({
      revision: 2,
    });
    await call("update_ticket", { ticketId: "T-001", assignee: "me", fileChanges: [] });
    await shown();
    await call("update_ticket", { ticketId: "T-001", assignee: null, priority: "urgent", designRefs: [] });
    await shown();
    const most = { description: "d".repeat(262_144), solution: "s".repeat(262_144), testPlan: "t".repeat(262_144) };
    expect((await call("update_ticket", { ticketId: "T-001", ...most })).isError).toBe(false);
    expect((await shown())["testPlan"]).toHaveLength(262_144);
    expect((await call("update_ticket", { ticketId: "T-001", apiChanges: "a".repeat(262_144) })).isError).toBe(true);
  });

  onBoth(server, "a ticket moves along the table only", async (room) => {
    const { call } = await room.connect();
    await call("create_ticket", draft);
    const move = (status: string) => call("update_ticket_status", { ticketId: "t-1", status });
    expect((await move("COMPLETE")).value).toMatchObject({ code: "VALIDATION_ERROR", details: { from: "DRAFT" } });
    expect((await move("READY")).value).toMatchObject({ previousStatus: "DRAFT", newStatus: "READY" });
    expect((await move("READY")).value).toMatchObject({ previousStatus: "READY", newStatus: "READY" });
    await move("CREATED");
    await call("get_ticket_context", { ticketId: "T-001" });
    await move("ARCHIVED");
    await move("DRAFT");
    await call("claim_ticket", { ticketId: "T-001" });
    await move("CREATED");
    await move("COMPLETE");
    await call("claim_ticket", { ticketId: "T-001" });
    await call("get_ticket_context", { ticketId: "T-001" });
  });

  onBoth(server, "one of two assistants has a ticket", async (room) => {
    const { call } = await room.connect("one");
    const { call: other } = await room.connect("two");
    await call("create_ticket", { ...draft, status: "READY" });
    expect((await call("claim_ticket", { ticketId: "t-1" })).value).toMatchObject({ claimed: true });
    await call("claim_ticket", { ticketId: "T-001", minutes: 60 });
    const refused: [string, Record<string, unknown>][] = [
      ["claim_ticket", {}],
      ["claim_ticket", { worker: "w" }],
      ["claim_ticket", { release: true }],
      ["update_ticket", { title: "Not mine" }],
      ["update_ticket", { title: draft.title }],
      ["update_ticket_status", { status: "CREATED" }],
      ["update_ticket_status", { status: "READY" }],
      ["update_ticket_status", { status: "COMPLETE" }],
      ["submit_review_questions", { questions: [{ question: "May I?" }] }],
    ];
    for (const [tool, args] of refused) {
      const { value } = await other(tool, { ticketId: "T-001", ...args });
      expect([tool, args, value["code"]]).toEqual([tool, args, "CONFLICT_ERROR"]);
    }
    await other("get_ticket_context", { ticketId: "T-001" });
    await other("list_tickets");
    await call("claim_ticket", { ticketId: "T-001", release: true });
    await call("claim_ticket", { ticketId: "T-001", release: true });
    expect((await other("claim_ticket", { ticketId: "T-001", worker: "w 1/x" })).isError).toBe(false);
    await other("claim_ticket", { ticketId: "T-001", worker: "w2" });
    await other("update_ticket_status", { ticketId: "T-001", status: "CREATED" });
    await other("update_ticket_status", { ticketId: "T-001", status: "COMPLETE" });
    expect((await call("get_ticket_context", { ticketId: "T-001" })).value).not.toHaveProperty("claim");
    await room.ledger();
  });

  onBoth(server, "an assistant has the name it gives itself", async (room) => {
    const { call } = await room.connect('Ассистент/日本 #1: 100% %41 "x"');
    await call("create_ticket", { title: "By an assistant" });
    await call("claim_ticket", { ticketId: "T-001" });
    const { value } = await (await room.connect("other")).call("update_ticket", {
      ticketId: "T-001",
      title: "Not mine",
    });
    expect(String(value["message"])).toContain("Ассистент%2F日本 %231%3A 100%25 %2541");
    await room.forge("show T-001 --history");
  });

  onBoth(server, "questions are kept once each", async (room) => {
    const { call } = await room.connect();
    await call("create_ticket", draft);
    const questions = [
      { question: "For whom?", category: "scope", blocking: true },
      { question: "Why now?" },
      { question: " Why now? " },
    ];
    const asked = await call("submit_review_questions", { ticketId: "t-1", questions });
    expect(asked.value).toMatchObject({ added: ["Q-1", "Q-2"], open: 2 });
    expect((await call("submit_review_questions", { ticketId: "T-001", questions })).value).toMatchObject({
      added: [],
    });
    await call("get_ticket_context", { ticketId: "T-001" });
    const many = Array.from({ length: 50 }, (_, index) => ({ question: `Question ${index} ${"long ".repeat(100)}` }));
    await call("submit_review_questions", { ticketId: "T-001", questions: many });
    await call("get_ticket_context", { ticketId: "T-001" });
  });

  onBoth(server, "the repository is looked at where the assistant is", async (room) => {
    const { call } = await room.connect();
    expect((await call("get_repository_context")).isError).toBe(true);
    room.repository({ "README.md": "# Shop\n", "src/auth.ts": "export {};\n" });
    expect((await call("get_repository_context")).value).toMatchObject({ branch: "main" });
    await call("get_repository_context", { path: "src" });
  });
});
