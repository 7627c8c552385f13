import { expect, it } from "vitest";
import { startTicketServer } from "../../../../test/harness/rooms/tickets/ticket-server.ts";
import { by } from "../../../../test/harness/rooms/tickets/tickets.ts";

it("finds tickets by status, person and words, a page at a time", async () => {
  const { connect, tickets, program } = await startTicketServer();
  const me = program.principal().name;
  await tickets.create(by(), { title: "First", assignee: me }, { status: "READY" });
  await tickets.create(by(), { title: "Second", description: "about logout" });
  await tickets.create(by(), { title: "Third" });
  await tickets.move(by(), "T-003", "ARCHIVED");
  const { call } = await connect();
  const ids = async (args: Record<string, unknown>) => {
    const { structured } = await call("list_tickets", args);
    return (structured["tickets"] as { id: string }[]).map(({ id }) => id);
  };
  expect(await ids({})).toEqual(["T-002", "T-001"]);
  expect(await ids({ status: ["READY"] })).toEqual(["T-001"]);
  expect(await ids({ status: ["ARCHIVED"] })).toEqual(["T-003"]);
  expect(await ids({ filter: "mine" })).toEqual(["T-001"]);
  expect(await ids({ assignee: "me" })).toEqual(["T-001"]);
  expect(await ids({ text: "logout" })).toEqual(["T-002"]);
  const { structured } = await call("list_tickets", { limit: 1 });
  expect(structured).toMatchObject({ tickets: [{ id: "T-002", title: "Second", status: "DRAFT" }] });
  expect(await ids({ limit: 1, cursor: structured["nextCursor"] })).toEqual(["T-001"]);
});

it("tells who is on a ticket", async () => {
  const { connect, tickets } = await startTicketServer();
  await tickets.create(by(), { title: "First" });
  const { call } = await connect({ name: "claude-code" });
  await call("claim_ticket", { ticketId: "T-001" });
  expect((await call("list_tickets")).structured).toMatchObject({
    tickets: [{ id: "T-001", claim: { holder: expect.stringContaining("/claude-code#"), until: expect.any(String) } }],
  });
});

it("H04 shows what is hidden in titles", async () => {
  const { connect, tickets } = await startTicketServer();
  await tickets.create(by(), { title: "Odd \u202etext" });
  const { call } = await connect();
  expect((await call("list_tickets")).text).not.toContain("\u202e");
});

it("refuses an empty list of statuses", async () => {
  const { connect } = await startTicketServer();
  const { call } = await connect();
  expect((await call("list_tickets", { status: [] })).body).toMatchObject({ code: "VALIDATION_ERROR" });
});
