import { expect, it } from "vitest";
import { startTicketServer } from "../../../../test/harness/rooms/tickets/ticket-server.ts";

it("writes a ticket down and gives its id", async () => {
  const { connect, tickets, ledger } = await startTicketServer();
  const { call } = await connect();
  const { structured } = await call("create_ticket", {
    title: "  Add logout ",
    acceptanceCriteria: ["The cookie is gone"],
    status: "READY",
  });
  expect(structured).toEqual({ ticketId: "T-001", title: "Add logout", status: "READY", revision: 1 });
  expect(await tickets.get("T-001")).toMatchObject({
    criteria: [{ id: "AC-1", text: "The cookie is gone" }],
    foreign: false,
  });
  const [entry] = await ledger.latest({ name: "create_ticket" });
  expect(entry).toMatchObject({ outcome: "ok", about: ["ticket:T-001"] });
});

it("refuses what is no ticket, naming what is wrong", async () => {
  const { connect, tickets } = await startTicketServer();
  const { call } = await connect();
  const refused = async (args: Record<string, unknown>) => {
    const { body } = await call("create_ticket", args);
    expect(body).toMatchObject({ code: "VALIDATION_ERROR" });
    return JSON.stringify(body);
  };
  expect(await refused({})).toContain("title");
  expect(await refused({ title: "ab" })).toContain("title");
  expect(await refused({ title: "Good", colour: "red" })).toContain("colour");
  expect(await refused({ title: "Good", status: "COMPLETE" })).toContain("READY");
  expect(await refused({ title: "Good", description: "x".repeat(5_000_000) })).toContain("1048576");
  expect(await refused({ title: "Good", fileChanges: [{ path: "a", action: "rename" }] })).toContain("action");
  expect((await tickets.list({})).tickets).toEqual([]);
});

it("marks what is written after reading others' words", async () => {
  const { connect, command, tickets } = await startTicketServer();
  await command("import_tickets", { text: '{"title":"From a file"}', source: "x.json" });
  const { call } = await connect();
  await call("get_ticket_context", { ticketId: "T-001" });
  await call("create_ticket", { title: "Second" });
  expect((await tickets.get("T-002")).foreign).toBe(true);
});
