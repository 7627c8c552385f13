import { expect, it } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { by, openTickets } from "../../../../test/harness/rooms/tickets/tickets.ts";
import { extractWords } from "../../../commons/search/words.ts";
import { localPrincipal } from "../../../kernel/principal.ts";
import { searchText } from "../store/search-text.ts";

/** A ticket that this process has changed already, and the same store as another process sees it. */
async function knownTicket(engine: { fresh(): Promise<Parameters<typeof openTickets>[0]> }) {
  const place = await engine.fresh();
  const { tickets, ledger } = openTickets(place);
  const { tickets: elsewhere } = openTickets(place);
  await tickets.create(by(), { title: "Add logout", description: "A button." });
  await tickets.update(by(), "T-001", { title: "Sign out" });
  return { tickets, ledger, elsewhere };
}

describeOnEngines("a ticket that was changed here before", (engine) => {
  it("is changed again, found by its new words alone, and both are in its history and the ledger", async () => {
    const { tickets, ledger } = await knownTicket(engine);
    await tickets.update(by(), "T-001", { title: "Sign out everywhere" });
    expect(await tickets.get("T-001")).toMatchObject({ title: "Sign out everywhere", revision: 3 });
    expect((await tickets.list({ text: "everywhere" })).tickets).toHaveLength(1);
    expect((await tickets.list({ text: "button sign" })).tickets).toHaveLength(1);
    expect((await tickets.list({ text: "logout" })).tickets).toHaveLength(0);
    const former = (await tickets.history("T-001")).slice(1).map(({ details }) => details["former"]);
    expect(former).toEqual([{ title: "Add logout" }, { title: "Sign out" }]);
    expect(await ledger.latest({ about: "ticket:T-001" })).toHaveLength(3);
  });

  it("is changed as somebody else has left it, not as it was here", async () => {
    const { tickets, elsewhere } = await knownTicket(engine);
    await elsewhere.update(by(), "T-001", { description: "A link.", assignee: "Kim" });
    await tickets.update(by(), "T-001", { title: "Sign out everywhere" });
    expect(await elsewhere.get("T-001")).toMatchObject({
      title: "Sign out everywhere",
      description: "A link.",
      assignee: "Kim",
      revision: 4,
    });
  });

  it("is refused to whoever comes with an old revision, and not where somebody else made it the one they name", async () => {
    const { tickets, elsewhere } = await knownTicket(engine);
    await elsewhere.update(by(), "T-001", { assignee: "Kim" });
    await expect(tickets.update(by(), "T-001", { title: "Leave" }, 2)).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
      details: { expectedRevision: 2, currentRevision: 3 },
    });
    expect(await tickets.update(by(), "T-001", { title: "Leave" }, 3)).toMatchObject({ revision: 4, assignee: "Kim" });
  });

  it("is refused while somebody else is on it, and free again once they let go", async () => {
    const { tickets, elsewhere } = await knownTicket(engine);
    const other = by(localPrincipal("kim", "harness", "2222"));
    await elsewhere.claim(other, "T-001", {});
    await expect(tickets.update(by(), "T-001", { title: "Leave" })).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await elsewhere.release(other, "T-001");
    expect(await tickets.update(by(), "T-001", { title: "Leave" })).toMatchObject({ title: "Leave" });
  });

  it("is not completed by who asked while it was not in progress, and so was not asked for proof", async () => {
    const { tickets, elsewhere } = await knownTicket(engine);
    await tickets.move(by(), "T-001", "READY");
    const { document, revision } = await elsewhere.move(by(), "T-001", "CREATED").then(({ ticket }) => ticket);
    const refused = { code: "CONFLICT_ERROR", message: expect.stringContaining("while it was being completed") };
    await expect(tickets.move(by(), "T-001", "COMPLETE")).rejects.toMatchObject(refused);
    const whole = { ...document, title: "Sign out", status: "COMPLETE" };
    await expect(tickets.replace(by(), "T-001", whole, revision)).rejects.toMatchObject(refused);
    const correction = tickets.complete(by(), "T-001", { filesChanged: [] }, { correct: true });
    await expect(correction).rejects.toMatchObject(refused);
    expect(await tickets.get("T-001")).toMatchObject({ status: "CREATED", revision });
  });

  it("is allowed or refused a move by where it stands, not by where it stood here", async () => {
    const { tickets, elsewhere } = await knownTicket(engine);
    await elsewhere.move(by(), "T-001", "ARCHIVED");
    await expect(tickets.move(by(), "T-001", "COMPLETE")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await elsewhere.move(by(), "T-001", "DRAFT");
    expect(await tickets.move(by(), "T-001", "DRAFT")).toMatchObject({ from: "DRAFT", moved: false });
  });

  it("takes what there is room for now, however large it was here", async () => {
    const { tickets, elsewhere } = await knownTicket(engine);
    const large = { title: "Sign out", extra: "x".repeat(700_000) };
    await tickets.import(by(), [{ document: { id: "T-001", ...large }, source: "a file" }], "replace");
    const { revision } = await tickets.update(by(), "T-001", { title: "Sign out everywhere" });
    await elsewhere.replace(by(), "T-001", { title: "Sign out" }, revision);
    const addNotes = () =>
      tickets.change(by(), "T-001", ({ document }) => ({
        document: { ...document, notes: "y".repeat(600_000) },
        events: [{ kind: "updated", details: {} }],
      }));
    expect(await addNotes()).toMatchObject({ title: "Sign out", revision: revision + 2 });
  });

  it("takes several changes that share a commit, one upon the other", async () => {
    const { tickets } = await knownTicket(engine);
    const titles = ["One", "Two", "Three"];
    await Promise.all(titles.map((title) => tickets.update(by(), "T-001", { title })));
    expect(await tickets.get("T-001")).toMatchObject({ title: "Three", revision: 5 });
    expect((await tickets.list({ text: "three" })).tickets).toHaveLength(1);
    expect((await tickets.list({ text: "one" })).tickets).toHaveLength(0);
    const former = (await tickets.history("T-001")).slice(2).map(({ details }) => details["former"]);
    expect(former).toEqual(["Sign out", "One", "Two"].map((title) => ({ title })));
  });

  it("keeps the changes of others whatever its assistant is called", async () => {
    const { tickets } = await knownTicket(engine);
    const agent = "a\0b\ud800";
    const odd = by(localPrincipal("kim", agent, "2222"));
    await Promise.all([
      tickets.update(odd, "T-001", { title: "One" }),
      tickets.update(by(), "T-001", { assignee: "Kim" }),
    ]);
    expect((await tickets.history("T-001")).at(-2)).toMatchObject({ agent: "a\\x00b\\ud800" });
    expect(await tickets.get("T-001")).toMatchObject({ title: "One", assignee: "Kim" });
  });
});

describeOnEngines("a ticket of a great many long words", (engine) => {
  it("is found by as many of them as are kept, whatever the store", async () => {
    const { tickets } = openTickets(await engine.fresh());
    const syllables = "가나다라마바사아자차";
    const word = (index: number) =>
      `각각각각${[...String(index).padStart(5, "0")].map((digit) => syllables[Number(digit)]).join("")}`;
    const text = (from: number) => Array.from({ length: 10_000 }, (_, index) => word(from + index)).join(" ");
    const draft = { title: "Long words", description: text(0), problemStatement: text(10_000) };
    const ticket = await tickets.create(by(), draft);
    const kept = new Set(searchText(ticket).split(" "));
    const asked = Array.from({ length: 40 }, (_, index) => word(index * 500));
    const found: boolean[] = [];
    for (const one of asked) found.push((await tickets.list({ text: one })).tickets.length === 1);
    expect(found).toEqual(asked.map((one) => kept.has(extractWords([one])[0] ?? "")));
    expect(new Set(found)).toEqual(new Set([true, false]));
  });
});
