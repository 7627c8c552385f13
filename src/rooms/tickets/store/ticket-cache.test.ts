import { describe, expect, it } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { by, openTickets } from "../../../../test/harness/rooms/tickets/tickets.ts";
import type { TicketRow } from "./rows.ts";
import { TicketCache } from "./ticket-cache.ts";

function row(seq: number, text: string, revision = 1): TicketRow {
  return {
    seq,
    team: "",
    id: `T-${seq}`,
    slug: null,
    title: "Add logout",
    status: "DRAFT",
    previous_status: null,
    type: null,
    priority: null,
    assignee: null,
    created_at: 0,
    updated_at: 0,
    created_by: null,
    updated_by: null,
    revision,
    is_foreign: 0,
    sole_author: null,
    labels: null,
    depends_on: null,
    records: null,
    unproven: null,
    document: JSON.stringify({ description: text }),
  };
}

describe("a ticket that was read", () => {
  it("is known at that revision and at no other", () => {
    const reader = new TicketCache();
    const ticket = reader.read(row(1, "first"));
    expect(reader.get({ team: "", id: "T-1", revision: 1 })).toBe(ticket);
    expect(reader.get({ team: "", id: "T-1", revision: 2 })).toBeUndefined();
    reader.read(row(1, "second", 2));
    expect(reader.get({ team: "", id: "T-1", revision: 2 })).toMatchObject({ description: "second" });
    expect(reader.get({ team: "", id: "T-1", revision: 1 })).toBeUndefined();
  });

  it("is forgotten, the oldest first, before all of them together are too large to keep", () => {
    const reader = new TicketCache();
    const text = "x".repeat(1_048_576);
    for (const seq of [1, 2, 3, 4, 5]) reader.read(row(seq, text));
    const known = [1, 2, 3, 4, 5].filter((seq) => reader.get({ team: "", id: `T-${seq}`, revision: 1 }));
    expect(known).toEqual([3, 4, 5]);
  });
});

describeOnEngines("a ticket that is read again", (engine) => {
  it("is the same object while nobody changes it, and what somebody else wrote as soon as they did", async () => {
    const place = await engine.fresh();
    const { tickets } = openTickets(place);
    const { tickets: elsewhere } = openTickets(place);
    await tickets.create(by(), { title: "Add logout", description: "A button." });
    const first = await tickets.get("T-001");
    expect(await tickets.get("t-1")).toBe(first);
    await elsewhere.update(by(), "T-001", { description: "A link." });
    expect(await tickets.get("T-001")).toMatchObject({ description: "A link.", revision: 2 });
  });

  it("says who is on it, who is not any more, and is not confused by a slug", async () => {
    const place = await engine.fresh();
    const { tickets } = openTickets(place);
    const { tickets: elsewhere } = openTickets(place);
    await tickets.import(
      by(),
      [{ document: { id: "abc", slug: "add-logout", title: "Add logout" }, source: "a" }],
      "refuse",
    );
    expect((await tickets.get("abc")).claim).toBeUndefined();
    const { claim } = await elsewhere.claim(by(), "abc", {});
    for (const name of ["abc", "add-logout"]) {
      expect((await tickets.get(name)).claim?.holder).toBe(claim.holder);
    }
    await elsewhere.release(by(), "abc");
    for (const name of ["abc", "add-logout"]) expect((await tickets.get(name)).claim).toBeUndefined();
  });
});
