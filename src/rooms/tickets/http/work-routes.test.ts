import { expect, it } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { idsIn, made, openTicketApp } from "../../../../test/harness/rooms/tickets/ticket-app.ts";
import { allowedMoves, type Status, statuses } from "../model/status.ts";

describeOnEngines("Work on tickets over HTTP", (engine) => {
  const open = async () => openTicketApp(await engine.fresh());

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
      else expect(body).toMatchObject({ code: "VALIDATION_ERROR", details: { legal: allowedMoves(from, before) } });
      const now = await app.request("GET", `/api/tickets/to_${to}`);
      expect(now.body["status"]).toBe(status === 200 ? to : from);
    }
    expect(new Set(reached)).toEqual(new Set([from, ...allowedMoves(from, before)]));
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

  it("assigns by the id of a member, and keeps none that is nobody's as a name", async () => {
    const app = await open();
    const id = await made(app);
    const assign = (userId: string) => app.request("PATCH", `/api/tickets/${id}/assign`, { userId });
    expect((await assign("me")).body).toMatchObject({ assignedTo: "Ada" });
    for (const userId of ["nobody", "Bob", "u-of-another-team"]) {
      const { status, body } = await assign(userId);
      expect([status, body["code"], body["details"]], userId).toEqual([400, "VALIDATION_ERROR", { userId }]);
    }
    expect((await app.request("GET", `/api/tickets/${id}`)).body).toMatchObject({ assignedTo: "Ada", revision: 2 });
    const named = await app.request("PATCH", `/api/tickets/${id}`, { assignedTo: "Grace, from next door" });
    expect(named.body).toMatchObject({ assignedTo: "Grace, from next door" });
  });

  it("says of what has moved on which fields differ now, by the names that requests have, and since when", async () => {
    const app = await open();
    const id = await made(app, { description: "First", solution: "So" });
    const at = `/api/tickets/${id}`;
    await app.request("PATCH", at, { description: "Second", priority: "high" }, { as: "u-bob" });
    const sent = { description: "Mine", testPlan: "By hand", priority: "low" };
    const { status, body } = await app.request("PATCH", at, sent, { ifMatch: '"1"' });
    expect(status).toBe(412);
    expect(body["message"]).toContain("Different now: description, testPlan, priority.");
    expect(body["details"]).toEqual({
      expectedRevision: 1,
      currentRevision: 2,
      changed: { description: "Second", testPlan: null, priority: "high" },
      changedBy: "Bob",
      changedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
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
});
