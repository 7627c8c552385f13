import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeOnEngines } from "../../../test/harness/store.ts";
import { type Answer, openTicketApp } from "../../../test/harness/ticket-app.ts";
import { movesFrom, type Status, statuses } from "./status.ts";

type App = ReturnType<typeof openTicketApp>;

async function made(app: App, fields: Record<string, unknown> = {}, team?: string): Promise<string> {
  const sent = team === undefined ? {} : { team };
  const { status, body } = await app.request("POST", "/api/tickets", { title: "Add logout", ...fields }, sent);
  expect(status).toBe(201);
  return String(body["id"]);
}

const idsIn = ({ body }: Answer) => (body["tickets"] as { id: string }[]).map(({ id }) => id);

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

  it("finds by each filter, and by several statuses in either spelling", async () => {
    const app = await open();
    const draft = await made(app, { title: "Green door", type: "bug", assignedTo: "me" });
    const ready = await made(app, { title: "Red door", status: "READY", priority: "high", assignedTo: "u-bob" });
    const valid = await made(app, { title: "Blue wall", status: "VALIDATED" });
    const list = async (query: string) => idsIn(await app.request("GET", `/api/tickets?${query}`));
    expect(await list("")).toEqual([valid, ready, draft]);
    expect(await list("all=true")).toEqual([valid, ready, draft]);
    expect(await list("status=READY,dev-refining")).toEqual([valid, ready]);
    expect(await list("status=READY&status=draft")).toEqual([ready, draft]);
    expect(await list("assignee=me")).toEqual([draft]);
    expect(await list("assignedToMe=true")).toEqual([draft]);
    expect(await list("assignee=u-bob")).toEqual([ready]);
    expect(await list("assignee=Bob")).toEqual([ready]);
    expect(await list("priority=high")).toEqual([ready]);
    expect(await list("type=bug")).toEqual([draft]);
    expect(await list("text=door")).toEqual([ready, draft]);
  });

  it("pages to the end without a gap, and no cursor leads elsewhere (K25)", async () => {
    const app = await open();
    const own: string[] = [];
    for (let index = 0; index < 5; index++) {
      own.unshift(await made(app));
      await made(app, {}, "two");
    }
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await app.request("GET", `/api/tickets?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...idsIn(page));
      cursor = String(page.body["nextCursor"] ?? "");
    } while (cursor !== "");
    expect(seen).toEqual(own);
    for (const tampered of ["0", "999999999999999", "3"]) {
      const page = await app.request("GET", `/api/tickets?cursor=${tampered}`);
      expect(page.status).toBe(200);
      expect(own).toEqual(expect.arrayContaining(idsIn(page)));
    }
    for (const garbled of ["-1", "1.5", "1e3", "abc", "1;drop table ticket", "9".repeat(16), ""]) {
      const page = await app.request("GET", `/api/tickets?cursor=${encodeURIComponent(garbled)}`);
      expect([page.status, page.body["code"]], garbled).toEqual([400, "VALIDATION_ERROR"]);
    }
    for (const query of ["limit=0", "limit=201", "limit=two", "sort=title", "limit=1&limit=2"])
      expect((await app.request("GET", `/api/tickets?${query}`)).status, query).toBe(400);
  });

  it("takes what a filter says as text, whatever it looks like (K32)", async () => {
    const app = await open();
    await made(app, { title: "Ordinary", assignee: "Ada" });
    await made(app, { title: "Hidden", assignee: "Ada" }, "two");
    const filters = ["status", "assignee", "assignedToMe", "priority", "type", "text", "limit", "cursor", "all"];
    const hostile = [
      "' OR 1=1 --",
      '" OR ""="',
      "'; drop table ticket; --",
      "%",
      "_",
      "*",
      "Ada%",
      '{"$gt":""}',
      "ordinary OR hidden",
      "NEAR(a b)",
      "words:ordinary",
      "a & !b | c:*",
      "\\",
      "\u0000",
      "title') UNION SELECT * FROM ticket --",
    ];
    for (const filter of filters) {
      for (const text of hostile) {
        const answer = await app.request("GET", `/api/tickets?${filter}=${encodeURIComponent(text)}`);
        expect([200, 400], `${filter}=${text}`).toContain(answer.status);
        expect(answer.text).not.toContain("Hidden");
        if (answer.status === 200 && filter !== "text") expect(idsIn(answer), `${filter}=${text}`).toEqual([]);
      }
      const operator = await app.request("GET", `/api/tickets?${filter}[$gt]=`);
      expect(operator.status).toBe(400);
    }
    expect(idsIn(await app.request("GET", "/api/tickets"))).toEqual(["T-001"]);
    expect(app.failures).toEqual([]);
  });

  it("answers any text in any filter without failing inside (K32)", async () => {
    const app = await open();
    await made(app);
    const filter = fc.constantFrom("status", "assignee", "priority", "type", "text", "limit", "cursor");
    await fc.assert(
      fc.asyncProperty(filter, fc.string({ unit: "grapheme", maxLength: 60 }), async (name, text) => {
        const { status } = await app.request("GET", `/api/tickets?${name}=${encodeURIComponent(text)}`);
        expect([200, 400]).toContain(status);
      }),
      { numRuns: 200 },
    );
    expect(app.failures).toEqual([]);
  });

  it.each(statuses)("lets a ticket go from %s where the table says, and nowhere else (C02)", async (from) => {
    const app = await open();
    const before: Status | undefined = from === "ARCHIVED" ? "READY" : undefined;
    const tickets = statuses.map((to) => ({
      id: `to_${to}`,
      title: `From ${from}`,
      status: from,
      previousStatus: before,
    }));
    expect((await app.request("POST", "/api/tickets/import", { tickets })).status).toBe(200);
    const reached: Status[] = [];
    for (const to of statuses) {
      const { status, body } = await app.request("PATCH", `/api/tickets/to_${to}`, { status: to });
      if (status === 200) reached.push(to);
      else expect(body).toMatchObject({ code: "VALIDATION_ERROR", details: { legal: movesFrom(from, before) } });
      const now = await app.request("GET", `/api/tickets/to_${to}`);
      expect(now.body["status"]).toBe(status === 200 ? to : from);
    }
    expect(new Set(reached)).toEqual(new Set([from, ...movesFrom(from, before)]));
    expect((await app.request("PATCH", "/api/tickets/to_DRAFT", { status: "DONE" })).status).toBe(400);
  });

  it("takes who acts from the token, and names in the body as data (K07)", async () => {
    const app = await open();
    const id = await made(app);
    const answer = await app.request("PATCH", `/api/tickets/${id}/assign`, { userId: "u-bob" });
    expect(answer.body).toMatchObject({ assignedTo: "Bob", updatedBy: "Ada" });
    const document = { title: "Brought in", createdBy: "Bob", assignedTo: "Bob" };
    const { body } = await app.request("POST", "/api/tickets/import", { tickets: [document] });
    const [{ id: imported } = { id: "" }] = body["outcomes"] as { id: string }[];
    const { body: told } = await app.request("GET", `/api/tickets/${imported}/history`);
    expect(told["history"]).toMatchObject([{ by: "Ada", agent: "harness", kind: "imported" }]);
    const nobody = await app.request("PATCH", `/api/tickets/${id}/assign`, { userId: null });
    expect(nobody.body).not.toHaveProperty("assignedTo");
  });

  it("replaces a whole document with what was read, and nothing where nothing was changed", async () => {
    const app = await open();
    const id = await made(app, { acceptanceCriteria: ["One", "Two"], description: "Before" });
    const read = await app.request("GET", `/api/tickets/${id}`);
    const ifMatch = read.headers.get("etag") ?? "";
    expect((await app.request("PATCH", `/api/tickets/${id}`, { document: read.body })).status).toBe(400);
    const same = await app.request("PATCH", `/api/tickets/${id}`, { document: read.body }, { ifMatch });
    expect(same.body).toEqual(read.body);
    const document = { ...read.body, description: "After", custom: { kept: [1, null] } };
    const { body } = await app.request("PATCH", `/api/tickets/${id}`, { document }, { ifMatch });
    expect(body).toMatchObject({ description: "After", custom: { kept: [1, null] }, revision: 2 });
    expect(body["acceptanceCriteriaIds"]).toEqual(["AC-1", "AC-2"]);
  });

  it("carries work from start to settlement", async () => {
    const app = await open();
    const id = await made(app, { status: "READY" });
    const at = `/api/tickets/${id}`;
    const event = { type: "decision", title: "Use a cookie", description: "Simplest" };
    expect((await app.request("POST", `${at}/execution-events`, event)).status).toBe(400);
    expect((await app.request("POST", `${at}/claim`, { worker: "one" })).body["claim"]).toMatchObject({
      holder: "Ada/harness:one",
    });
    expect((await app.request("PATCH", at, { title: "Mine now" }, { as: "u-bob" })).status).toBe(409);
    await app.request("POST", `${at}/start`, { branch: "main", commit: "abc" });
    await app.request("PATCH", at, { status: "CREATED" });
    const noted = await app.request("POST", `${at}/execution-events`, event);
    expect(noted.body["executionEvents"]).toMatchObject([{ ...event, id: "E-1", createdBy: "Ada/harness" }]);
    const settled = await app.request("POST", `${at}/settle`, {
      executionSummary: "Done",
      filesChanged: [{ path: "src/a.ts", additions: 1, deletions: 0 }],
    });
    expect(settled.body).toMatchObject({ status: "COMPLETE", changeRecord: { executionSummary: "Done" } });
    expect(settled.body).not.toHaveProperty("claim");
    const { body } = await app.request("GET", `${at}/history`);
    expect((body["history"] as { kind: string }[]).map(({ kind }) => kind)).toEqual([
      "created",
      "claimed",
      "assigned",
      "started",
      "status",
      "updated",
      "completed",
    ]);
  });

  it("keeps questions, their answers, and a review handed in as one", async () => {
    const app = await open();
    const at = `/api/tickets/${await made(app, { status: "READY" })}`;
    await app.request("POST", `${at}/questions`, { questions: [{ question: "Which one?", blocking: true }] });
    await app.request("POST", `${at}/answers`, { answers: { "Q-1": "The first" } });
    const qaItems = [
      { question: "Which one?", answer: "The second" },
      { question: "And then?", answer: "Nothing" },
    ];
    const handed = await app.request("POST", `${at}/review-session`, { qaItems });
    expect(handed.body).toEqual({ success: true, ticketId: "T-001", status: "READY", revision: 4 });
    const { body } = await app.request("GET", `${at}/questions`);
    expect(body["questions"]).toMatchObject([
      { id: "Q-1", blocking: true, answer: "The second" },
      { id: "Q-2", question: "And then?", answer: "Nothing" },
    ]);
    const ticket = await app.request("GET", at);
    expect(ticket.body["reviewSession"]).toMatchObject({ qaItems });
    expect((await app.request("POST", `${at}/review-session`, { qaItems: [] })).status).toBe(400);
  });

  it("imports all or nothing, and exports files with a safe name", async () => {
    const app = await open();
    const title = 'Crème "brûlée"; ../../etc/passwd\r\nx: y';
    const tickets = [{ id: "aec_1", title, techSpec: { solution: "Cook" } }];
    expect((await app.request("POST", "/api/tickets/import", { tickets: [...tickets, { id: "x" }] })).status).toBe(400);
    expect(idsIn(await app.request("GET", "/api/tickets"))).toEqual([]);
    await app.request("POST", "/api/tickets/import", { tickets });
    expect((await app.request("POST", "/api/tickets/import", { tickets })).status).toBe(409);
    const files = { markdown: "-spec.md", xml: "-aec.xml", json: ".json" };
    for (const [format, ending] of Object.entries(files)) {
      const { status, headers, text } = await app.request("GET", `/api/tickets/aec_1/export/${format}`);
      expect(status).toBe(200);
      expect(headers.get("content-disposition")).toBe(`attachment; filename="cre-me-bru-le-e-etc-passwd-x-y${ending}"`);
      expect(text).toContain("Cook");
    }
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
    const { edited } = await import("./routes/editing.ts");
    const { emptyTicket } = await import("./decisions.ts");
    const { readContent } = await import("./reading/read-ticket.ts");
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
