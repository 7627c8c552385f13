import { expect, it } from "vitest";
import { startTicketServer } from "../../../../test/harness/rooms/tickets/ticket-server.ts";
import { by } from "../../../../test/harness/rooms/tickets/tickets.ts";

it("changes what is given, and keeps criteria's ids", async () => {
  const { connect, tickets } = await startTicketServer();
  await tickets.create(by(), { title: "Add logout", acceptanceCriteria: ["One", "Two"], assignee: "bob" });
  const { call } = await connect();
  const changes = { ticketId: "T-001", acceptanceCriteria: ["Two", "Three"], assignee: null, expectedRevision: 1 };
  expect((await call("update_ticket", changes)).structured).toEqual({
    ticketId: "T-001",
    status: "DRAFT",
    revision: 2,
    acceptanceCriteriaIds: ["AC-2", "AC-3"],
  });
  expect(await tickets.get("T-001")).not.toHaveProperty("assignee");
});

it("refuses a stale change, an empty one and an unknown field", async () => {
  const { connect, tickets } = await startTicketServer();
  await tickets.create(by(), { title: "Add logout" });
  await tickets.update(by(), "T-001", { priority: "low" });
  const { call } = await connect();
  const bodyOf = async (args: Record<string, unknown>) =>
    (await call("update_ticket", { ticketId: "T-001", ...args })).body;
  expect(await bodyOf({ title: "Mine", expectedRevision: 1 })).toMatchObject({
    code: "CONFLICT_ERROR",
    details: { expectedRevision: 1, currentRevision: 2 },
  });
  expect(await bodyOf({})).toMatchObject({ code: "VALIDATION_ERROR", message: "No field to change was given." });
  expect(JSON.stringify(await bodyOf({ status: "READY" }))).toContain("status");
  expect((await tickets.get("T-001")).title).toBe("Add logout");
});
