import { expect, it } from "vitest";
import { startTicketServer } from "../../../../test/harness/rooms/tickets/ticket-server.ts";
import { by } from "../../../../test/harness/rooms/tickets/tickets.ts";
import { statuses } from "../model/status.ts";

it("AC6 update_ticket_status moves the ticket and says so", async () => {
  const { connect, tickets, ledger } = await startTicketServer();
  await tickets.create(by(), { title: "Add logout" }, { status: "READY" });
  const { call } = await connect();
  const { structured } = await call("update_ticket_status", { ticketId: "T-001", status: "CREATED" });
  expect(structured).toEqual({ success: true, ticketId: "T-001", newStatus: "CREATED", previousStatus: "READY" });
  expect(await tickets.get("T-001")).toMatchObject({ status: "CREATED", assignee: expect.any(String) });
  expect((await tickets.history("T-001"))[1]).toMatchObject({
    kind: "status",
    agent: "assistant",
    details: { from: "READY", to: "CREATED" },
  });
  const [entry] = await ledger.latest({ name: "update_ticket_status" });
  expect(entry).toMatchObject({ outcome: "ok", effect: "set", about: ["ticket:T-001"] });
});

it("C02 refuses what is no status and what is no legal move, naming the legal ones", async () => {
  const { connect, tickets } = await startTicketServer();
  await tickets.create(by(), { title: "Add logout" });
  const { call } = await connect();
  for (const status of ["DONE", "ready; drop table", "", 7, null]) {
    const { body } = await call("update_ticket_status", { ticketId: "T-001", status });
    expect(body).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(JSON.stringify(body)).toContain(statuses[0]);
  }
  const { body } = await call("update_ticket_status", { ticketId: "T-001", status: "COMPLETE" });
  expect(body).toMatchObject({
    code: "VALIDATION_ERROR",
    message: "T-001 cannot move from DRAFT to COMPLETE.",
    details: { legal: ["IN_QUESTION_ROUND_1", "VALIDATED", "READY", "ARCHIVED"] },
    suggestions: [expect.stringContaining("READY")],
  });
  expect((await tickets.get("T-001")).revision).toBe(1);
});

it("takes the same status again for nothing", async () => {
  const { connect, tickets } = await startTicketServer();
  await tickets.create(by(), { title: "Add logout" });
  const { call } = await connect();
  const again = await call("update_ticket_status", { ticketId: "T-001", status: "DRAFT" });
  expect(again.structured).toMatchObject({ success: true, newStatus: "DRAFT", previousStatus: "DRAFT" });
  expect((await tickets.get("T-001")).revision).toBe(1);
});
