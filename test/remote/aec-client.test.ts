import { describe, expect, it } from "vitest";
import type { RemoteTickets } from "../../src/rooms/tickets/remote/remote-tickets.ts";
import { failureOf } from "../harness/http/fetching.ts";
import { by } from "../harness/rooms/tickets/tickets.ts";
import { startAecServer } from "./aec-server.ts";
import { Laptop } from "./laptop.ts";

async function open(options?: Parameters<typeof startAecServer>[0]) {
  const server = await startAecServer(options);
  const laptop = new Laptop();
  await laptop.signIn(server.api);
  return { ...server, remote: laptop.tickets(laptop.server(server.api)), laptop };
}

const techSpec = {
  problemStatement: { narrative: "Users cannot end a session", assumptions: [], constraints: [] },
  solution: { overview: "Add a route", steps: [{ order: 1, description: "Route", file: "src/auth.ts" }] },
  layeredFileChanges: { backend: [{ path: "src/logout.ts", action: "create" }] },
};

describe("a server of the original kind", () => {
  it("gives tickets whose specification is under techSpec, by id and by slug", async () => {
    const { remote, add } = await open();
    const id = add({ status: "approved", techSpec });
    const ticket = await remote.get("acme-1");
    expect(ticket).toMatchObject({ id, slug: "acme-1", status: "READY", foreign: true });
    expect(ticket.problemStatement).toContain("Users cannot end a session");
    expect(ticket.fileChanges).toMatchObject([{ path: "src/logout.ts", action: "create" }]);
    expect(await failureOf(remote.get("acme-9"))).toMatchObject({ code: "NOT_FOUND" });
  });

  it("lists all it has, which is filtered and paged here", async () => {
    const { remote, add } = await open();
    const [first, second] = [add({ status: "approved", assignedTo: "u2" }), add({ title: "Slow search", type: "bug" })];
    const gone = add({ status: "archived" });
    const ids = async (filter: Parameters<RemoteTickets["list"]>[0]) =>
      (await remote.list(filter)).tickets.map(({ id }) => id);
    expect(await ids({})).toEqual([second, first]);
    expect(await ids({ status: ["READY"] })).toEqual([first]);
    expect(await ids({ status: ["ARCHIVED"] })).toEqual([gone]);
    expect(await ids({ assignee: "u2" })).toEqual([first]);
    expect(await ids({ type: "bug", text: "SEARCH slow" })).toEqual([second]);
    const page = await remote.list({ limit: 1 });
    expect(await ids({ limit: 1, cursor: page.nextCursor })).toEqual([first]);
    expect(await remote.suggest("acme-2", 5)).toMatchObject([{ id: second, title: "Slow search", status: "DRAFT" }]);
  });

  it.each([
    ["G1b", ["draft", "validated", "waiting-for-approval", "ready", "created", "complete"], "ready", "created"],
    ["G2", ["draft", "dev-refining", "review", "forged", "executing", "complete"], "forged", "executing"],
    ["G3", ["draft", "defined", "refined", "approved", "executing", "delivered"], "approved", "executing"],
  ])("is told statuses in its own words: %s", async (_generation, words, ready, created) => {
    const { remote, add, tickets } = await open({ words });
    const id = add({ status: ready });
    expect(await remote.move(by(), id, "CREATED")).toMatchObject({
      from: "READY",
      moved: true,
      ticket: { status: "CREATED" },
    });
    expect(tickets.get(id)?.status).toBe(created);
    expect(await remote.move(by(), id, "CREATED")).toMatchObject({ moved: false });
    expect(await failureOf(remote.move(by(), id, "IN_QUESTION_ROUND_1"))).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("archives and brings back by endpoints of its own", async () => {
    const { remote, add } = await open();
    const id = add({ status: "approved" });
    expect((await remote.move(by(), id, "ARCHIVED")).ticket.status).toBe("ARCHIVED");
    expect((await remote.move(by(), id, "READY")).ticket.status).toBe("READY");
  });

  it("is sent only the fields it knows, and no key, once", async () => {
    const { remote, add, tickets, requests } = await open();
    const id = add({ techSpec });
    await remote.update(by(), id, {
      title: "Add sign-out",
      acceptanceCriteria: ["The cookie is gone"],
      testPlan: "Click it.",
      problemStatement: "Nobody can leave.",
    });
    expect(tickets.get(id)).toMatchObject({
      title: "Add sign-out",
      acceptanceCriteria: ["The cookie is gone"],
      techSpec: { testPlan: "Click it.", problemStatement: "Nobody can leave.", solution: techSpec.solution },
    });
    const writes = requests.filter(({ method }) => method !== "GET");
    expect(writes).toHaveLength(1);
    expect(writes[0]?.headers).not.toHaveProperty("idempotency-key");
    const ticket = await remote.get(id);
    expect([ticket.title, ticket.testPlan, ticket.criteria[0]?.text]).toEqual([
      "Add sign-out",
      "Click it.",
      "The cookie is gone",
    ]);
  });

  it("assigns through its own endpoint, by the id behind a name", async () => {
    const { remote, add, tickets } = await open();
    const id = add();
    await remote.update(by(), id, { assignee: "Bob" });
    expect(tickets.get(id)?.["assignedTo"]).toBe("u2");
    await remote.update(by(), id, { assignee: null });
    expect(tickets.get(id)?.["assignedTo"]).toBeNull();
    expect(await remote.start(by(), id, { branch: "main" })).toMatchObject({ assignee: "Ada" });
  });

  it("knows the person by the id of their sign-in, whatever others are called", async () => {
    const namesake = { userId: "u9", displayName: "Ada", email: "ada@example.net" };
    const members = [namesake, { userId: "u1", displayName: "Ada Lovelace", email: "ada@example.org" }];
    const { remote, add, tickets } = await open({ members });
    const [mine, theirs] = [add(), add({ assignedTo: "u9" })];
    expect(await remote.update(by(), mine, { assignee: "Ada" })).toMatchObject({ assignee: "Ada" });
    expect(tickets.get(mine)?.["assignedTo"]).toBe("u1");
    expect(await remote.get(theirs)).toMatchObject({ assignee: "ada@example.net" });
    for (const assignee of ["Ada", "u1", "Ada Lovelace"])
      expect((await remote.list({ assignee })).tickets).toMatchObject([{ id: mine, assignee: "Ada" }]);
    expect((await remote.list({ assignee: "ada@example.net" })).tickets).toMatchObject([{ id: theirs }]);
  });

  it("is asked for one person only: a name that two have is refused, with what tells them apart", async () => {
    const bobs = [
      { userId: "u2", displayName: "Bob" },
      { userId: "u3", displayName: "Bob", email: "bob@example.org" },
    ];
    const { remote, add, tickets } = await open({ members: bobs });
    const id = add();
    const error = await failureOf(remote.update(by(), id, { assignee: "Bob" }));
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", details: { members: ["u2", "u3"] } });
    expect(error.next?.join()).toContain("u2, bob@example.org");
    expect(tickets.get(id)?.["assignedTo"]).toBeNull();
    expect(await remote.update(by(), id, { assignee: "u2" })).toMatchObject({ assignee: "u2" });
  });

  it("shows ids where it does not tell who is in the team", async () => {
    const { remote, add } = await open({ members: [] });
    const id = add({ assignedTo: "u2" });
    expect(await remote.get(id)).toMatchObject({ assignee: "u2" });
  });

  it("is not asked to change what it cannot, and nothing is changed then", async () => {
    const { remote, add, requests } = await open();
    const id = add();
    expect(await failureOf(remote.update(by(), id, { title: "New", priority: "low" }))).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { fields: ["priority"] },
    });
    expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("makes a ticket in the steps it has, and says how far it came", async () => {
    const { remote, tickets } = await open();
    const draft = { title: "New", type: "bug" as const, solution: "So.", acceptanceCriteria: ["A"], assignee: "Bob" };
    const made = await remote.create(by(), draft, { status: "READY" });
    expect(made).toMatchObject({ title: "New", type: "bug", status: "READY", solution: "So.", assignee: "Bob" });
    const error = await failureOf(remote.create(by(), { title: "Half" }, { status: "QUESTIONS_COMPLETE" }));
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", details: { outcome: "partial" } });
    expect([...tickets.values()].filter(({ title }) => title === "Half")).toHaveLength(1);
    expect(error.message).toContain("was created, but not all of it could be saved");
  });

  it("keeps questions and answers as its review session, without losing any", async () => {
    const { remote, add, tickets } = await open();
    const id = add({ reviewSession: { qaItems: [{ question: "Why now?", answer: "Law" }] } });
    const asked = await remote.addQuestions(by(), id, [{ question: "For whom?" }, { question: "Why now?" }]);
    expect(asked.questions).toMatchObject([
      { id: "Q-1", answer: "Law" },
      { id: "Q-2", question: "For whom?" },
    ]);
    await remote.answer(by(), id, { "q-2": "All" });
    expect(tickets.get(id)?.["reviewSession"]).toMatchObject({
      qaItems: [
        { question: "Why now?", answer: "Law" },
        { question: "For whom?", answer: "All" },
      ],
    });
    expect(await failureOf(remote.answer(by(), id, { "Q-7": "?" }))).toMatchObject({ code: "NOT_FOUND" });
  });

  it("is settled with what was done", async () => {
    const { remote, add } = await open();
    const id = add({ status: "executing" });
    const filesChanged = [{ path: "a.ts", additions: 1, deletions: 0 }];
    const done = await remote.complete(by(), id, { filesChanged, branch: "main", commit: "abc" });
    expect(done).toMatchObject({ status: "COMPLETE", changeRecord: { filesChanged } });
  });

  it("refuses in its own words what it refuses", async () => {
    const { remote, add } = await open();
    const id = add({ status: "draft" });
    const error = await failureOf(remote.complete(by(), id, { filesChanged: [] }));
    expect(error).toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("Ticket is not executing"),
    });
  });

  it("sees a change that somebody else made before ours", async () => {
    const { remote, add } = await open();
    const id = add();
    const { revision } = await remote.get(id);
    await remote.update(by(), id, { title: "Theirs" });
    expect(await failureOf(remote.update(by(), id, { title: "Mine" }, revision))).toMatchObject({
      code: "CONFLICT_ERROR",
    });
  });

  it("takes an edited ticket as the changes it holds", async () => {
    const { remote, add, requests } = await open();
    const id = add({ techSpec });
    const { revision } = await remote.get(id);
    const document = { id, title: "Edited", status: "READY", priority: "medium", techSpec, description: "Anew." };
    const edited = await remote.replace(by(), id, document, revision);
    expect(edited).toMatchObject({ title: "Edited", description: "Anew.", status: "READY" });
    const [patch] = requests.filter(({ method }) => method === "PATCH");
    expect(patch?.body).toEqual({ title: "Edited", description: "Anew." });
  });

  it("says what of an edited ticket it took where it refuses the status", async () => {
    const { remote, add, tickets } = await open();
    const id = add({ status: "approved" });
    const { revision } = await remote.get(id);
    const edit = remote.replace(by(), id, { id, title: "Edited", status: "DRIFTED", priority: "medium" }, revision);
    expect(await failureOf(edit)).toMatchObject({ code: "VALIDATION_ERROR", details: { outcome: "partial" } });
    expect(tickets.get(id)).toMatchObject({ title: "Edited", status: "approved" });
  });

  it("says what it has no endpoint for, and holds nothing", async () => {
    const { remote, add, requests, api } = await open();
    const id = add();
    const origin = new URL(api).origin;
    await remote.hold(id, by().principal);
    for (const work of [
      () => remote.claim(by(), id, {}),
      () => remote.release(by(), id),
      () => remote.history(id),
      () => remote.import(by(), [{ document: { title: "New" }, source: "x" }], "skip"),
    ]) {
      const error = await failureOf(work());
      expect(error.code).toBe("VALIDATION_ERROR");
      expect(error.message).toContain(`The server at ${origin}`);
    }
    expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("is asked once what kind of server it is", async () => {
    const { remote, add, requests } = await open();
    const id = add();
    await Promise.all([remote.get(id), remote.get(id), remote.list({})]);
    await remote.get(id);
    expect(requests.filter(({ path }) => path === "/api/me")).toHaveLength(1);
  });
});
