import { describe, expect, it } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { idsIn, made, openTicketApp } from "../../../../test/harness/rooms/tickets/ticket-app.ts";

describeOnEngines("Tickets over HTTP", (engine) => {
  const open = async () => openTicketApp(await engine.fresh());

  it("makes a ticket, reads it back whole, and tells its revision as ETag", async () => {
    const app = await open();
    const draft = {
      title: "Add logout",
      priority: "high",
      acceptanceCriteria: ["The cookie is gone"],
      assignedTo: "me",
    };
    const created = await app.request("POST", "/api/tickets", draft);
    expect(created.status).toBe(201);
    expect(created.headers.get("etag")).toBe('"1"');
    expect(created.body).toMatchObject({
      id: "T-001",
      status: "DRAFT",
      assignedTo: "Ada",
      acceptanceCriteria: ["The cookie is gone"],
      acceptanceCriteriaIds: ["AC-1"],
      revision: 1,
      foreign: false,
    });
    const read = await app.request("GET", "/api/tickets/t-1");
    expect(read.body).toEqual(created.body);
  });

  it("changes fields and status as one change, or neither", async () => {
    const app = await open();
    const id = await made(app);
    const both = await app.request("PATCH", `/api/tickets/${id}`, { title: "Add sign-out", status: "ready" });
    expect(both.body).toMatchObject({ title: "Add sign-out", status: "READY", revision: 2 });
    const refused = await app.request("PATCH", `/api/tickets/${id}`, { title: "Another", status: "COMPLETE" });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code: "VALIDATION_ERROR", details: { from: "READY", to: "COMPLETE" } });
    expect((await app.request("GET", `/api/tickets/${id}`)).body).toEqual(both.body);
  });

  it("gives as much of a long history as fits into one answer, the newest first of all", async () => {
    const app = await open();
    const id = await made(app);
    for (const text of ["a", "b", "c", "d", "e"]) {
      const techSpec = { solution: text.repeat(900_000) };
      expect((await app.request("PATCH", `/api/tickets/${id}`, { techSpec })).status).toBe(200);
    }
    const { text, body } = await app.request("GET", `/api/tickets/${id}/history?limit=1000`);
    expect(text.length).toBeLessThan(2_100_000);
    const specs = (body["history"] as { details: { former?: { techSpec?: { solution: string } } } }[]).map(
      ({ details }) => details.former?.techSpec?.solution[0],
    );
    expect(specs).toEqual(["c", "d"]);
  });

  it("refuses unknown fields at any depth of its own, and a body that changes nothing", async () => {
    const app = await open();
    const id = await made(app);
    const bodies = [
      {},
      { titel: "Typo" },
      { user_id: "u-bob" },
      { fileChanges: [{ path: "src/a.ts", action: "modify", line: 3 }] },
      { assignee: "Ada", assignedTo: "Bob" },
      { document: { title: "Whole" }, title: "And a field" },
    ];
    for (const body of bodies) {
      const { status, body: answer } = await app.request("PATCH", `/api/tickets/${id}`, body);
      expect([status, answer["code"]], JSON.stringify(body)).toEqual([400, "VALIDATION_ERROR"]);
    }
    expect((await app.request("GET", `/api/tickets/${id}`)).body["revision"]).toBe(1);
  });

  it("lets exactly one of 100 changes through that were made from one revision (K24)", async () => {
    const app = await open();
    const id = await made(app);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        app.request("PATCH", `/api/tickets/${id}`, { description: `Writer ${index}` }, { ifMatch: '"1"' }),
      ),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(99);
    const { body } = await app.request("GET", `/api/tickets/${id}`);
    expect(body).toEqual(won[0]?.body);
    expect(body["revision"]).toBe(2);
  });

  it("holds every change of a ticket to If-Match", async () => {
    const app = await open();
    const id = await made(app, { status: "READY" });
    await app.request("PATCH", `/api/tickets/${id}`, { status: "CREATED" });
    await app.request("POST", `/api/tickets/${id}/questions`, { questions: [{ question: "Which one?" }] });
    const changes: [string, string, unknown?][] = [
      ["PATCH", "", { title: "Another title" }],
      ["PATCH", "", { status: "CREATED" }],
      ["PATCH", "", { document: { title: "Whole" } }],
      ["DELETE", ""],
      ["PATCH", "/assign", { userId: "u-bob" }],
      ["POST", "/claim", { worker: "one" }],
      ["POST", "/claim", { release: true }],
      ["POST", "/start", { branch: "main" }],
      ["POST", "/execution-events", { type: "risk", title: "Slow", description: "" }],
      ["POST", "/settle", { executionSummary: "Done" }],
      ["POST", "/questions", { questions: [{ question: "Which?" }] }],
      ["POST", "/answers", { answers: { "Q-1": "That" } }],
      ["POST", "/review-session", { qaItems: [{ question: "Which?", answer: "That" }] }],
    ];
    for (const [method, place, body] of changes) {
      const { status } = await app.request(method, `/api/tickets/${id}${place}`, body, { ifMatch: '"1"' });
      expect(status, `${method} ${place}`).toBe(412);
    }
    const { body } = await app.request("GET", `/api/tickets/${id}`);
    expect(body).toMatchObject({ revision: 3, status: "CREATED" });
    expect(body["claim"]).toBeUndefined();
  });

  it("archives in place of deleting, and brings back what it was", async () => {
    const app = await open();
    const id = await made(app, { status: "READY" });
    const gone = await app.request("DELETE", `/api/tickets/${id}`);
    expect([gone.status, gone.text]).toEqual([204, ""]);
    expect((await app.request("DELETE", `/api/tickets/${id}`)).status).toBe(204);
    expect(idsIn(await app.request("GET", "/api/tickets"))).toEqual([]);
    expect(idsIn(await app.request("GET", "/api/tickets/archived"))).toEqual([id]);
    expect((await app.request("GET", "/api/tickets/quota")).body).toEqual({ used: 1, limit: null, canCreate: true });
    expect((await app.request("PATCH", `/api/tickets/${id}`, { status: "READY" })).body).toMatchObject({
      status: "READY",
    });
  });

  it("has no text that one of the engines could not keep", async () => {
    const app = await open();
    for (const body of [{ title: "Nul \0 inside" }, { title: "Title", assignee: "A\0da" }])
      expect((await app.request("POST", "/api/tickets", body)).status).toBe(400);
    expect((await app.request("GET", "/api/tickets/suggest?typed=%00")).status).toBe(400);
    const tickets = [{ id: "nul", title: "Nul \0 inside", createdBy: "A\0da", description: "Nul \0 inside" }];
    expect((await app.request("POST", "/api/tickets/import", { tickets })).status).toBe(200);
    expect((await app.request("GET", "/api/tickets/nul")).body).toMatchObject({
      title: "Nul \ufffd inside",
      description: "Nul \0 inside",
    });
    expect(app.failures).toEqual([]);
  });

  it("answers with whatever another program's document says", async () => {
    const app = await open();
    const odd = { id: "odd", title: "Odd", type: "epic", priority: 5, assignedTo: { team: "x" }, createdBy: ["a"] };
    await app.request("POST", "/api/tickets/import", { tickets: [odd] });
    const { status, body } = await app.request("GET", "/api/tickets/odd");
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: "odd", type: "epic", priority: 5 });
    expect(app.failures).toEqual([]);
  });

  it("keeps tickets of one id in two teams apart", async () => {
    const app = await open();
    await made(app, { title: "Ours" });
    await made(app, { title: "Theirs" }, "two");
    for (const team of ["one", "two"]) {
      const claimed = await app.request(
        "POST",
        "/api/tickets/T-001/claim",
        { worker: team },
        { as: `u-${team}`, team },
      );
      expect(claimed.body["claim"], team).toMatchObject({ holder: `u-${team}/harness:${team}` });
    }
    await app.request("DELETE", "/api/tickets/T-001", undefined, { as: "u-one", team: "one" });
    const theirs = await app.request("GET", "/api/tickets/T-001", undefined, { team: "two" });
    expect(theirs.body).toMatchObject({ title: "Theirs", status: "DRAFT", claim: { holder: "u-two/harness:two" } });
    const history = await app.request("GET", "/api/tickets/T-001/history", undefined, { team: "two" });
    expect((history.body["history"] as { kind: string }[]).map(({ kind }) => kind)).toEqual([
      "created",
      "claimed",
      "assigned",
    ]);
  });

  it("does not tell another team's ticket from none", async () => {
    const app = await open();
    await made(app, {}, "two");
    await made(app, {}, "two");
    const theirs = await app.request("GET", "/api/tickets/T-002");
    const none = await app.request("GET", "/api/tickets/T-009");
    expect(theirs.status).toBe(404);
    expect(theirs.text.replaceAll("T-002", "T-009")).toBe(none.text);
  });
});

describe("A specification that is set anew", () => {
  it("is what the ticket says, also where fields stood beside the old one", async () => {
    const { applyEdit: edited } = await import("./apply-edit.ts");
    const { emptyTicket } = await import("../model/transitions.ts");
    const { readContent } = await import("../reading/read-content.ts");
    const document = { solution: "Old", testPlan: "Stays", techSpec: { apiChanges: "Old" } };
    const ticket = { ...emptyTicket, ...readContent(document), document };
    const edit = { changes: { apiChanges: "Old" }, status: undefined, techSpec: { solution: "New" } };
    const change = edited(ticket, edit, { kind: "user", id: "u", name: "Ada", scopes: [] });
    expect(readContent(change?.document ?? {})).toMatchObject({
      solution: "New",
      testPlan: "Stays",
      apiChanges: "Old",
    });
  });
});
