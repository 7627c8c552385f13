import { expect, it } from "vitest";
import type { Principal } from "../../src/kernel/principal.ts";
import { decodeTickets, encodeTicket } from "../../src/rooms/tickets/formats/index.ts";
import type { ClaimableTickets, Tickets } from "../../src/rooms/tickets/service/tickets.ts";
import { fullDocument } from "../../src/rooms/tickets/store/fact-columns.ts";
import { eventually } from "../harness/cli/processes.ts";
import { by } from "../harness/rooms/tickets/tickets.ts";

/** One person with two assistants, each on a connection of its own, and tickets that nobody has touched yet. */
export type Bench = { tickets: ClaimableTickets; others: ClaimableTickets; name: string };

const draft = {
  title: "Add logout",
  description: "A button in the header.",
  problemStatement: "Users cannot end a session.",
  acceptanceCriteria: ["The cookie is gone", "The page says so"],
  fileChanges: [{ path: "src/logout.ts", action: "create" as const }],
  priority: "high" as const,
  type: "feature" as const,
};

const assistant = (instance: string): Principal => ({
  kind: "local",
  id: "local:ada",
  name: "ada",
  agent: "claude-code",
  instance,
  scopes: "all",
});
const one = () => by(assistant("aaaaaaaa-1111"));
const person = () => by({ kind: "local", id: "local:ada", name: "ada", atKeyboard: true, scopes: "all" });
const two = () => by(assistant("bbbbbbbb-2222"));

/** What tickets do, wherever they are. */
export function describeTickets(open: () => Promise<Bench>): void {
  it("keeps all that a ticket says, and finds it by its id in any spelling", async () => {
    const { tickets, others, name } = await open();
    const made = await tickets.create(one(), draft);
    expect(made).toMatchObject({ id: "T-001", status: "DRAFT", revision: 1 });
    const ticket = await others.get("t-1");
    const { acceptanceCriteria: _, ...fields } = draft;
    expect(ticket).toMatchObject({ ...fields, id: "T-001", createdBy: name });
    expect(ticket.criteria.map(({ id, text }) => [id, text])).toEqual([
      ["AC-1", "The cookie is gone"],
      ["AC-2", "The page says so"],
    ]);
    expect(await tickets.create(one(), { title: "Second" }, { status: "READY" })).toMatchObject({ status: "READY" });
  });

  it("says which ids are near when there is none of that id, and refuses what is no id", async () => {
    const { tickets } = await open();
    await tickets.create(one(), draft);
    await expect(tickets.get("T-011")).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "Ticket T-011 not found.",
      next: expect.arrayContaining(["Did you mean T-001?"]),
    });
    for (const id of ["../users", "T-1/../../x", "T-1?admin=1", "%2e%2e", "T-1#", "T-1\n", "https://x/T-1", "", ".."]) {
      await expect(tickets.get(id)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
      await expect(tickets.move(one(), id, "READY")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    }
  });

  it("lists by status, assignee, priority, type and words, newest first, a page at a time", async () => {
    const { tickets } = await open();
    await tickets.create(one(), { ...draft, assignee: "Bob" });
    await tickets.create(one(), { title: "Second", type: "bug", priority: "low" }, { status: "READY" });
    await tickets.create(one(), { title: "Third one" });
    await tickets.move(one(), "T-003", "ARCHIVED");
    const ids = async (filter: Parameters<Tickets["list"]>[0]) =>
      (await tickets.list(filter)).tickets.map(({ id }) => id);
    expect(await ids({})).toEqual(["T-002", "T-001"]);
    expect(await ids({ status: ["ARCHIVED", "READY"] })).toEqual(["T-003", "T-002"]);
    expect(await ids({ assignee: "Bob" })).toEqual(["T-001"]);
    expect(await ids({ priority: "low", type: "bug" })).toEqual(["T-002"]);
    expect(await ids({ text: "cookie header" })).toEqual(["T-001"]);
    expect(await ids({ text: "%' OR 1=1 --" })).toEqual([]);
    const first = await tickets.list({ limit: 1 });
    expect(first.tickets).toMatchObject([{ id: "T-002", title: "Second", priority: "low", revision: 1 }]);
    expect(await ids({ limit: 1, cursor: first.nextCursor })).toEqual(["T-001"]);
    await expect(tickets.list({ cursor: "nonsense" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    const suggested = await tickets.suggest("t-00", 5);
    expect(suggested.map(({ id }) => id).sort()).toEqual(expect.arrayContaining(["T-001", "T-002"]));
    expect(await tickets.suggest("sec", 5)).toMatchObject([{ id: "T-002", title: "Second", status: "READY" }]);
  });

  it("changes what is named and keeps the rest", async () => {
    const { tickets } = await open();
    await tickets.create(one(), draft);
    const changes = { title: "Add sign-out", description: "", acceptanceCriteria: ["The page says so", "New"] };
    const ticket = await tickets.update(one(), "t-1", changes);
    expect(ticket).toMatchObject({ title: "Add sign-out", revision: 2, problemStatement: draft.problemStatement });
    expect(ticket).not.toHaveProperty("description");
    expect(ticket.criteria.map(({ id }) => id)).toEqual(["AC-2", "AC-3"]);
    expect((await tickets.update(one(), "T-001", { title: "Add sign-out" })).revision).toBe(2);
    expect(await tickets.update(one(), "T-001", { assignee: "Bob" })).toMatchObject({ assignee: "Bob" });
    expect(await tickets.update(one(), "T-001", { assignee: null })).not.toHaveProperty("assignee");
  });

  it("refuses a change of what the writer has not seen, and of many such writers lets one through (K24)", async () => {
    const { tickets, others } = await open();
    await tickets.create(one(), draft);
    await others.update(one(), "T-001", { title: "Other" }, 1);
    await expect(tickets.update(one(), "T-001", { title: "Mine" }, 1)).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
      details: { expectedRevision: 1, currentRevision: 2 },
    });
    const writers = Array.from({ length: 10 }, (_, index) =>
      (index % 2 ? tickets : others).update(one(), "T-001", { title: `Writer ${index}` }, 2),
    );
    const outcomes = await Promise.allSettled(writers);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await tickets.get("T-001")).revision).toBe(3);
  });

  it("moves along the table only, and back out of the archive to where it was (C02)", async () => {
    const { tickets } = await open();
    await tickets.create(one(), draft);
    await expect(tickets.move(one(), "T-001", "COMPLETE")).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: { from: "DRAFT", to: "COMPLETE", legal: expect.arrayContaining(["READY"]) },
    });
    expect(await tickets.move(one(), "T-001", "READY")).toMatchObject({ from: "DRAFT", moved: true });
    expect(await tickets.move(one(), "T-001", "READY")).toMatchObject({ from: "READY", moved: false });
    expect((await tickets.move(one(), "T-001", "ARCHIVED")).ticket).toMatchObject({ previousStatus: "READY" });
    await expect(tickets.move(one(), "T-001", "DRAFT")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect((await tickets.move(one(), "T-001", "READY")).ticket.status).toBe("READY");
  });

  it("is claimed by one of two assistants, whose it is to change until it is given back", async () => {
    const { tickets, others, name } = await open();
    await tickets.create(one(), draft);
    const claims = await Promise.allSettled([tickets.claim(one(), "T-001", {}), others.claim(two(), "T-001", {})]);
    expect(claims.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [mine, theirs] = claims[0].status === "fulfilled" ? [one, two] : [two, one];
    const { claim, assignee } = await tickets.get("T-001");
    expect([claim?.holder.startsWith(`${name}/claude-code#`), assignee]).toEqual([true, name]);
    await expect(others.update(theirs(), "T-001", { title: "Not mine" })).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
      details: { holder: claim?.holder },
    });
    await expect(others.release(theirs(), "T-001")).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    expect((await tickets.claim(mine(), "T-001", { minutes: 60 })).claim.holder).toBe(claim?.holder);
    expect((await tickets.list({})).tickets[0]?.claim?.holder).toBe(claim?.holder);
    expect(await tickets.release(mine(), "T-001")).not.toHaveProperty("claim");
    await others.update(theirs(), "T-001", { title: "Mine now" });
  });

  it("is taken back by a person, whichever assistant of theirs has it", async () => {
    const { tickets, others } = await open();
    await tickets.create(one(), draft);
    await tickets.claim(one(), "T-001", {});
    await expect(others.release(two(), "T-001")).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    expect(await others.release(person(), "T-001")).not.toHaveProperty("claim");
    await others.update(two(), "T-001", { title: "Free again" });
  });

  it("is held by a program until it ends, and the next one waits for that", async () => {
    const { tickets, others } = await open();
    await tickets.create(one(), draft, { status: "READY" });
    await tickets.hold("t-1", person().principal);
    const next = others.hold("T-001", person().principal);
    // Asked behind the next one, on the same connection: it has been refused by the time this is answered.
    for (let looks = 0; looks < 5; looks++) expect(await others.get("T-001")).toHaveProperty("claim");
    await tickets.stop();
    await next;
    await others.move(two(), "T-001", "CREATED");
    await expect(tickets.move(one(), "T-001", "READY")).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await others.stop();
    expect(await tickets.get("T-001")).not.toHaveProperty("claim");
  });

  it("is not held by a second program while the first goes on", async () => {
    const { tickets, others } = await open();
    await tickets.create(one(), draft, { status: "READY" });
    await tickets.hold("T-001", person().principal);
    await expect(others.hold("T-001", person().principal)).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
      details: { ticketId: "T-001", holder: expect.any(String) },
    });
  });

  it("is the person's own through all they do with it, until what others told them to write is in it", async () => {
    const { tickets, others } = await open();
    const swayed = { ...one(), foreign: true };
    expect((await tickets.create(one(), draft)).foreign).toBe(false);
    expect((await tickets.create(swayed, { title: "Theirs" })).foreign).toBe(true);
    const inList = async () => (await others.list({})).tickets.map(({ foreign }) => foreign);
    expect(await inList()).toEqual([true, false]);
    expect((await tickets.update(one(), "T-001", { title: "Add sign-out" })).foreign).toBe(false);
    await tickets.addQuestions(one(), "T-001", [{ question: "For whom?" }]);
    await tickets.answer(person(), "T-001", { "Q-1": "Everybody" });
    expect((await tickets.move({ ...one(), foreign: true }, "T-001", "READY")).ticket.foreign).toBe(false);
    expect((await tickets.claim(one(), "T-001", {})).foreign).toBe(false);
    expect([await others.get("T-001"), await tickets.release(one(), "T-001")]).toMatchObject([
      { foreign: false },
      { foreign: false },
    ]);
    expect((await tickets.update({ ...one(), foreign: true }, "T-001", { description: "Told." })).foreign).toBe(true);
    expect((await tickets.update(one(), "T-001", { description: "Mine." })).foreign).toBe(true);
    expect((await others.get("T-001")).foreign).toBe(true);
    expect(await inList()).toEqual([true, true]);
  });

  it("keeps questions once each, and answers by their ids", async () => {
    const { tickets } = await open();
    await tickets.create(one(), draft);
    await tickets.addQuestions(one(), "T-001", [{ question: "Why now?", blocking: true }, { question: "For whom?" }]);
    const asked = await tickets.addQuestions(one(), "T-001", [{ question: "For whom?" }]);
    expect(asked.questions).toMatchObject([
      { id: "Q-1", blocking: true },
      { id: "Q-2", question: "For whom?" },
    ]);
    const answered = await tickets.answer(one(), "T-001", { "q-2": "Everybody" });
    expect(answered.questions[1]).toMatchObject({ answer: "Everybody" });
    expect(answered.reviewSession?.qaItems).toEqual([{ question: "For whom?", answer: "Everybody" }]);
    await expect(tickets.answer(one(), "T-001", { "Q-9": "?" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is started, and handed in with what was done", async () => {
    const { tickets, name } = await open();
    await tickets.create(one(), draft, { status: "READY" });
    const base = { branch: "main", commit: "0123456789abcdef0123456789abcdef01234567", changedBefore: ["mark"] };
    expect(await tickets.start(one(), "T-001", base)).toMatchObject({
      assignee: name,
      document: { executionBase: base },
    });
    const record = {
      executionSummary: "Done.",
      filesChanged: [{ path: "src/logout.ts", additions: 3, deletions: 0 }],
      divergences: [{ area: "UI", intended: "a", actual: "b", justification: "c" }],
      branch: "main",
    };
    await expect(tickets.complete(one(), "T-001", record)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await tickets.move(one(), "T-001", "CREATED");
    const done = await tickets.complete(one(), "T-001", record);
    expect(done).toMatchObject({ status: "COMPLETE", changeRecord: { ...record, status: "awaiting_review" } });
  });

  it("comes in from files, all of them or none, and goes out as it came", async () => {
    const { tickets } = await open();
    const file = (document: Record<string, unknown>) => ({ document, source: "tickets.json" });
    const foreign = file({
      id: "aec_1",
      slug: "acme-1",
      title: "From elsewhere",
      status: "forged",
      techSpec: { fileChanges: [{ path: "a.ts", action: "modify" }], solution: { overview: "Do it" } },
      custom: { kept: true },
    });
    expect(await tickets.import(one(), [foreign, file({ title: "New" })], "refuse")).toEqual([
      { id: "aec_1", outcome: "added" },
      { id: "T-001", outcome: "added" },
    ]);
    const refused = tickets.import(one(), [file({ title: "Third" }), foreign], "refuse");
    await expect(refused).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    expect((await tickets.list({})).tickets).toHaveLength(2);
    const ticket = await tickets.get("acme-1");
    expect(ticket).toMatchObject({ id: "aec_1", status: "READY", fileChanges: [{ path: "a.ts" }] });
    const text = encodeTicket(fullDocument(ticket), "json");
    const { documents } = decodeTickets(text, { format: "json", source: "x" });
    expect(documents[0]).toMatchObject({ custom: { kept: true }, title: "From elsewhere" });
    const again = await tickets.import(one(), [foreign], "new-id");
    expect(again).toEqual([{ id: "T-002", outcome: "added", was: "aec_1" }]);
  });

  it("is replaced as a whole by who has seen it as it is", async () => {
    const { tickets } = await open();
    await tickets.create(one(), draft);
    const ticket = await tickets.get("T-001");
    const document = { ...fullDocument(ticket), title: "Edited", description: "Anew.", status: "READY" };
    const edited = await tickets.replace(one(), "T-001", document, ticket.revision);
    expect(edited).toMatchObject({ title: "Edited", description: "Anew.", status: "READY", revision: 2 });
    expect(edited.criteria.map(({ id }) => id)).toEqual(["AC-1", "AC-2"]);
    const late = tickets.replace(one(), "T-001", document, ticket.revision);
    await expect(late).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    expect((await tickets.replace(one(), "T-001", fullDocument(edited), 2)).revision).toBe(2);
  });

  it("remembers what happened to it, and who and which assistant it was", async () => {
    const { tickets, name } = await open();
    await tickets.create(one(), draft);
    await tickets.move(one(), "T-001", "READY");
    await tickets.update(one(), "T-001", { title: "Other" });
    const history = await tickets.history("t-1");
    expect(history.map(({ kind }) => kind)).toEqual(["created", "status", "updated"]);
    expect(history[1]).toMatchObject({ by: name, agent: "claude-code", details: { from: "DRAFT", to: "READY" } });
    expect(await tickets.history("T-001", 1)).toHaveLength(1);
  });

  it("is named in the ledger's entry by its proper id", async () => {
    const { tickets } = await open();
    const creation = one();
    await tickets.create(creation, draft);
    const change = one();
    change.record.about = ["ticket:t-1", "file:a.ts"];
    await tickets.update(change, "t-1", { title: "Other" });
    expect(creation.record.about).toContain("ticket:T-001");
    expect(change.record.about).toEqual(expect.arrayContaining(["ticket:T-001", "file:a.ts"]));
    expect(change.record.about).not.toContain("ticket:t-1");
  });

  it("tells who watches of every change by anybody, of that ticket or of all, until they stop", async () => {
    const { tickets, others } = await open();
    await tickets.create(one(), draft);
    await tickets.create(one(), { title: "Second" });
    const seen = { first: 0, all: 0, stopped: 0 };
    const stops = [
      tickets.watch("t-1", () => seen.first++),
      tickets.watch(undefined, () => seen.all++),
      tickets.watch(undefined, () => seen.stopped++),
    ];
    // Whoever watches is told only of what comes after, and when that begins is not said.
    let changes = 0;
    await eventually("a change that is told", async () => {
      await others.update(two(), "T-002", { title: `Second ${changes++}` });
      return seen.all > 0 && seen.stopped > 0;
    });
    stops[2]?.();
    const before = seen.stopped;
    expect(seen.first).toBe(0);
    await others.update(two(), "T-001", { title: "First changed" });
    await eventually("the change of T-001", () => seen.first > 0);
    for (const stop of stops) stop();
    expect(seen.stopped).toBe(before);
  });
}
