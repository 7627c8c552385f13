import { describe, expect, it } from "vitest";
import { ada, byPerson, openTicketRoom } from "../../../../test/harness/rooms/tickets/ticket-room.ts";

const signal = () => {
  let changed = () => {};
  const seen = new Promise<void>((resolve) => {
    changed = resolve;
  });
  return { changed: () => changed(), seen };
};

describe("forge://tickets", () => {
  it("has the newest 100, and says how to get the rest", async () => {
    const { tickets, read, readers } = openTicketRoom();
    for (let number = 1; number <= 101; number++) await tickets.create(byPerson(), { title: `Ticket ${number}` });
    const page = await read("forge://tickets");
    expect(page["tickets"]).toHaveLength(100);
    expect(page["tickets"]).toMatchObject([{ id: "T-101" }, { id: "T-100" }, ...Array(98).fill({})]);
    expect(page).toMatchObject({ nextCursor: expect.any(String), more: expect.stringContaining("list_tickets") });
    expect(readers).toEqual([]);
  });

  it("shows what hides, and remembers who read a title that others wrote", async () => {
    const { tickets, read, readers } = openTicketRoom();
    await tickets.create({ ...byPerson(), foreign: true }, { title: "a\u202eb and more" });
    expect(await read("forge://tickets")).toMatchObject({ tickets: [{ title: "a\\u{202e}b and more" }] });
    expect(readers).toEqual([ada.id]);
  });

  it("tells when any ticket changes", async () => {
    const { tickets, watch } = openTicketRoom();
    const { changed, seen } = signal();
    watch("forge://tickets", changed);
    await tickets.create(byPerson(), { title: "New" });
    await seen;
  });
});

describe("forge://tickets/{id}", () => {
  it("has the ticket and what happened to it", async () => {
    const { tickets, read, active, records } = openTicketRoom();
    await tickets.create(byPerson(), { title: "Add logout", acceptanceCriteria: ["It works"] });
    await tickets.move(byPerson(), "T-001", "READY");
    expect(await read("forge://tickets/t-1")).toMatchObject({
      id: "T-001",
      status: "READY",
      acceptanceCriteria: ["It works"],
      history: [{ kind: "created" }, { kind: "status", by: "ada" }],
    });
    expect(records).toMatchObject([{ kind: "resource", about: ["ticket:T-001"] }]);
    expect(active.scopeOf(ada)).toEqual({ touches: ["ticket:T-001"] });
  });

  it("remembers who read what others wrote", async () => {
    const { tickets, read, readers } = openTicketRoom();
    await tickets.create({ ...byPerson(), foreign: true }, { title: "Theirs" });
    await read("forge://tickets/T-001");
    expect(readers).toEqual([ada.id]);
  });

  it.each([
    ["forge://tickets/T-404", "NOT_FOUND"],
    ["forge://tickets/..%2F..%2Fetc", "VALIDATION_ERROR"],
  ])("%s is %s", async (uri, code) => {
    await expect(openTicketRoom().read(uri)).rejects.toMatchObject({ code });
  });

  it("tells when this ticket changes, and not when another does", async () => {
    const { tickets, watch } = openTicketRoom();
    await tickets.create(byPerson(), { title: "First" });
    await tickets.create(byPerson(), { title: "Second" });
    const told: string[] = [];
    const { changed, seen } = signal();
    watch("forge://tickets/T-001", () => told.push("first"));
    watch("forge://tickets/T-002", changed);
    await tickets.move(byPerson(), "T-002", "READY");
    await seen;
    expect(told).toEqual([]);
  });

  it("completes ids", async () => {
    const { tickets, ids } = openTicketRoom();
    await tickets.create(byPerson(), { title: "Add logout" });
    expect(await ids("T-0")).toEqual(["T-001"]);
  });
});
