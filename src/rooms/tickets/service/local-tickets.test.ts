import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { by, draft, file, one, openTickets, person } from "../../../../test/harness/rooms/tickets/tickets.ts";
import type { Place } from "../../../platform/db/types.ts";
import { limits } from "../model/limits.ts";
import { type Status, statuses } from "../model/status.ts";
import type { LocalTickets } from "./local-tickets.ts";

/** What is written in the millisecond in which a watch begins may be told to it. */
async function nextMillisecond(): Promise<void> {
  for (const now = Date.now(); Date.now() === now; ) await nextTurn();
}

describeOnEngines("tickets", (engine) => {
  let place: Place;
  let tickets: LocalTickets;
  beforeEach(async () => {
    place = await engine.fresh();
    ({ tickets } = openTickets(place));
  });

  it("keeps all that a ticket says, under T-001, T-002, …", async () => {
    expect(await tickets.create(by(), draft)).toMatchObject({ id: "T-001", status: "DRAFT", revision: 1 });
    expect((await tickets.create(by(), { title: "Second" })).id).toBe("T-002");
    const ticket = await tickets.get("T-001");
    expect(ticket).toMatchObject({
      title: "Add logout",
      description: "A button in the header.",
      problemStatement: "Users cannot end a session.",
      priority: "high",
      type: "feature",
      createdBy: "ada",
      foreign: false,
      fileChanges: [{ path: "src/logout.ts", action: "create" }],
    });
    expect(ticket.criteria.map(({ id, text }) => [id, text])).toEqual([
      ["AC-1", "The cookie is gone"],
      ["AC-2", "The page says so"],
    ]);
    expect((await tickets.get("t-1")).id).toBe("T-001");
  });

  it("gives every ticket an id of its own, whoever writes at the same time", async () => {
    const others = [1, 2, 3].map(() => openTickets(place).tickets);
    const made = await Promise.all(
      [tickets, ...others].flatMap((writer, index) =>
        Array.from({ length: 10 }, (_, count) => writer.create(by(), { title: `Writer ${index} ticket ${count}` })),
      ),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(40);
    expect((await tickets.list({ limit: 100 })).tickets).toHaveLength(40);
  });

  it("says which ids are near when there is none of that id, and refuses what is no id", async () => {
    await tickets.create(by(), draft);
    await expect(tickets.get("T-01x")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(tickets.get("T-011")).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "Ticket T-011 not found.",
      next: expect.arrayContaining(["Did you mean T-001?"]),
    });
    for (const id of ["../users", "T-1/../../x", "T-1?admin=1", "%2e%2e%2f", "T-1#", "T-1\n", "https://x/T-1", ""]) {
      await expect(tickets.get(id)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    }
  });

  it("changes what is named and keeps the rest, with what it said before in the history", async () => {
    await tickets.create(by(), draft);
    await tickets.update(by(), "T-001", {
      title: "Add sign-out",
      description: "",
      acceptanceCriteria: ["The page says so", "New"],
    });
    const ticket = await tickets.get("T-001");
    expect(ticket).toMatchObject({
      title: "Add sign-out",
      revision: 2,
      problemStatement: "Users cannot end a session.",
    });
    expect(ticket).not.toHaveProperty("description");
    expect(ticket.criteria.map(({ id, text }) => [id, text])).toEqual([
      ["AC-2", "The page says so"],
      ["AC-3", "New"],
    ]);
    const history = await tickets.history("T-001");
    expect(history.map(({ kind }) => kind)).toEqual(["created", "updated"]);
    expect(history[1]?.details).toMatchObject({
      former: {
        title: "Add logout",
        description: "A button in the header.",
        acceptanceCriteria: [{ id: "AC-1" }, { id: "AC-2" }],
      },
    });
    expect((await tickets.update(by(), "T-001", { title: "Add sign-out" })).revision).toBe(2);
  });

  it("refuses a change of what the writer has not seen, and says what is there", async () => {
    await tickets.create(by(), draft);
    await tickets.update(by(), "T-001", { title: "Other" }, 1);
    await expect(tickets.update(by(), "T-001", { title: "Mine" }, 1)).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
      details: { expectedRevision: 1, currentRevision: 2, changed: { title: "Other" } },
    });
    expect((await tickets.get("T-001")).title).toBe("Other");
  });

  it("loses no update of many at once", async () => {
    await tickets.create(by(), draft);
    const writers = [tickets, openTickets(place).tickets, openTickets(place).tickets];
    await Promise.all(
      writers.flatMap((writer, index) =>
        Array.from({ length: 10 }, (_, count) =>
          writer.addQuestions(by(), "T-001", [{ question: `Why ${index}-${count}?` }]),
        ),
      ),
    );
    const { questions, revision } = await tickets.get("T-001");
    expect(new Set(questions.map(({ id }) => id)).size).toBe(30);
    expect(new Set(questions.map(({ question }) => question)).size).toBe(30);
    expect(revision).toBe(31);
  });

  it("moves only along the table, and an archived one back to where it was (C02)", async () => {
    const documents = statuses
      .filter((status) => status !== "ARCHIVED")
      .map((status) => file({ title: `In ${status}`, status }));
    const outcomes = await tickets.import(by(), documents, "refuse");
    for (const { id } of outcomes) {
      const { status: from } = await tickets.get(id);
      const legal = await legalFrom(tickets, id);
      for (const to of statuses) {
        if (to === from) expect(await tickets.move(by(), id, to)).toMatchObject({ moved: false, from });
        else if (!legal.includes(to)) {
          await expect(tickets.move(by(), id, to)).rejects.toMatchObject({
            code: "VALIDATION_ERROR",
            details: { legal },
          });
        }
      }
      expect((await tickets.get(id)).status).toBe(from);
      await tickets.move(by(), id, "ARCHIVED");
      expect(await legalFrom(tickets, id)).toEqual([from]);
      expect(await tickets.move(by(), id, from)).toMatchObject({
        moved: true,
        from: "ARCHIVED",
        ticket: { status: from },
      });
    }
  });

  it("finds by words anywhere in a ticket, by status, assignee, type and priority, a page at a time", async () => {
    await tickets.create(by(), draft, { status: "READY" });
    await tickets.create(by(), { title: "Über-Straße naïve", assignee: "bob", type: "bug" });
    await tickets.create(by(), { title: "Third", solution: 'Change src/logout.ts, it\'s "quoted" AND (odd)' });
    const found = async (filter: Parameters<LocalTickets["list"]>[0]) =>
      (await tickets.list(filter)).tickets.map(({ id }) => id);
    expect(await found({ text: "logout" })).toEqual(["T-003", "T-001"]);
    expect(await found({ text: "uber naive" })).toEqual(["T-002"]);
    expect(await found({ text: "sess cannot" })).toEqual(["T-001"]);
    expect(await found({ text: "quoted AND odd OR" })).toEqual([]);
    expect(await found({ text: '" OR 1=1 * ( NEAR' })).toEqual([]);
    expect(await found({ text: "T-002" })).toEqual(["T-002"]);
    expect(await found({ status: ["READY"] })).toEqual(["T-001"]);
    expect(await found({ assignee: "bob" })).toEqual(["T-002"]);
    expect(await found({ type: "bug" })).toEqual(["T-002"]);
    expect(await found({ priority: "high" })).toEqual(["T-001"]);
    await tickets.update(by(), "T-003", { solution: "Nothing" });
    expect(await found({ text: "logout" })).toEqual(["T-001"]);
    await tickets.move(by(), "T-003", "ARCHIVED");
    expect(await found({})).toEqual(["T-002", "T-001"]);
    expect(await found({ status: ["ARCHIVED"] })).toEqual(["T-003"]);
    const first = await tickets.list({ limit: 1 });
    expect(first).toMatchObject({ tickets: [{ id: "T-002" }], nextCursor: expect.any(String) });
    const second = await tickets.list({ limit: 1, cursor: first.nextCursor ?? "" });
    expect(second.tickets.map(({ id }) => id)).toEqual(["T-001"]);
    expect(second).not.toHaveProperty("nextCursor");
    await expect(tickets.list({ cursor: "1 or 1" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("offers ids by their beginning and by title", async () => {
    await tickets.create(by(), draft);
    await tickets.create(by(), { title: "Zebra crossing" });
    const offered = async (typed: string) => (await tickets.suggest(typed, 10)).map(({ id }) => id);
    expect(await offered("")).toEqual(["T-002", "T-001"]);
    expect(await offered("t-00")).toEqual(["T-002", "T-001"]);
    expect(await offered("zeb")).toEqual(["T-002"]);
    expect(await offered("%")).toEqual([]);
    for (let count = 0; count < 5; count++) await tickets.create(by(), { title: `Zebra ${count}` });
    await tickets.move(by(), "T-002", "READY");
    expect((await tickets.suggest("zeb", 3, ["READY"])).map(({ id }) => id)).toEqual(["T-002"]);
    expect((await tickets.suggest("T-", 3, ["READY"])).map(({ id }) => id)).toEqual(["T-002"]);
  });

  it("asks a question once, and keeps its answer as the review session", async () => {
    await tickets.create(by(), draft);
    const asked = await tickets.addQuestions(by(one), "T-001", [
      { question: "Which cookie?", blocking: true, category: "scope" },
      { question: "Which page?" },
    ]);
    expect(asked.questions).toMatchObject([
      { id: "Q-1", question: "Which cookie?", blocking: true, category: "scope", askedBy: "ada/claude-code" },
      { id: "Q-2", question: "Which page?" },
    ]);
    expect((await tickets.addQuestions(by(one), "T-001", [{ question: "Which page?" }])).questions).toHaveLength(2);
    const answered = await tickets.answer(by(person), "T-001", { "q-1": "The session's." });
    expect(answered.questions[0]).toMatchObject({ answer: "The session's.", answeredBy: "ada/forge" });
    expect(answered.reviewSession).toMatchObject({
      qaItems: [{ question: "Which cookie?", answer: "The session's." }],
    });
    await expect(tickets.answer(by(person), "T-001", { "Q-9": "x" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is completed with what was done", async () => {
    await tickets.create(by(), draft, { status: "READY" });
    const record = { executionSummary: "Done", filesChanged: [{ path: "src/logout.ts", additions: 3, deletions: 0 }] };
    await expect(tickets.complete(by(), "T-001", record)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await tickets.move(by(), "T-001", "CREATED");
    await tickets.claim(by(), "T-001", {});
    expect(await tickets.complete(by(), "T-001", record)).toMatchObject({
      status: "COMPLETE",
      changeRecord: { executionSummary: "Done", status: "awaiting_review", submittedAt: expect.any(String) },
    });
    expect(await tickets.get("T-001")).not.toHaveProperty("claim");
    await expect(tickets.complete(by(), "T-001", record)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("refuses a ticket that is too large, and leaves what was there", async () => {
    const text = "x".repeat(limits.ticket);
    await expect(tickets.import(by(), [file({ title: "Huge", description: text })], "refuse")).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining(`the limit is ${limits.ticket}`),
    });
    expect((await tickets.list({})).tickets).toEqual([]);
  });

  it("takes a whole ticket written anew, from the revision it was read at", async () => {
    const { revision } = await tickets.create(by(), draft);
    const whole = { title: "Anew", status: "ready", description: "All new", priority: "low" };
    const ticket = await tickets.replace(by(), "T-001", whole, revision);
    expect(ticket).toMatchObject({
      id: "T-001",
      title: "Anew",
      status: "READY",
      description: "All new",
      priority: "low",
      revision: 2,
    });
    expect((await tickets.history("T-001")).map(({ kind }) => kind)).toEqual(["created", "status", "updated"]);
    await expect(tickets.replace(by(), "T-001", whole, 1)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await expect(tickets.replace(by(), "T-001", { ...whole, id: "T-002" }, 2)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
    await expect(tickets.replace(by(), "T-001", { ...whole, status: "complete" }, 2)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
    expect((await tickets.replace(by(), "T-001", whole, 2)).revision).toBe(2);
  });

  it("tells of changes by another process, of that ticket alone where one is named", async () => {
    await tickets.create(by(), draft);
    await tickets.create(by(), { title: "Second" });
    const other = openTickets(place).tickets;
    const seen: string[] = [];
    await nextMillisecond();
    const stops = [tickets.watch("t-001", () => seen.push("one")), tickets.watch(undefined, () => seen.push("any"))];
    await other.move(by(), "T-002", "READY");
    await expect.poll(() => seen, { timeout: 10_000 }).toEqual(["any"]);
    await other.move(by(), "T-001", "READY");
    await expect.poll(() => [...seen].sort(), { timeout: 10_000 }).toEqual(["any", "any", "one"]);
    await expect(other.move(by(), "T-001", "COMPLETE")).rejects.toThrow();
    await other.get("T-001");
    for (const stop of stops) stop();
    expect([...seen].sort()).toEqual(["any", "any", "one"]);
  });

  it("tells of changes to a ticket that was named by its slug", async () => {
    await tickets.import(by(), [file({ id: "aec_1", slug: "acme-12", title: "Imported" })], "refuse");
    const seen: string[] = [];
    await nextMillisecond();
    const stop = tickets.watch("acme-12", () => seen.push("changed"));
    await tickets.get("acme-12");
    await openTickets(place).tickets.move(by(), "aec_1", "READY");
    await expect.poll(() => seen, { timeout: 10_000 }).toEqual(["changed"]);
    stop();
  });

  it("keeps the tickets of teams apart", async () => {
    const other = openTickets(place, { team: "other" }).tickets;
    await tickets.create(by(), draft);
    expect((await other.create(by(), { title: "Theirs" })).id).toBe("T-001");
    expect((await other.list({})).tickets.map(({ title }) => title)).toEqual(["Theirs"]);
    expect((await other.list({ text: "logout" })).tickets).toEqual([]);
    await other.claim(by(one), "T-001", {});
    expect(await tickets.get("T-001")).not.toHaveProperty("claim");
  });
});

async function legalFrom(tickets: LocalTickets, id: string): Promise<readonly Status[]> {
  const { allowedMoves: movesFrom } = await import("../model/status.ts");
  const { status, previousStatus } = await tickets.get(id);
  return movesFrom(status, previousStatus);
}
