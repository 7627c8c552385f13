import { expect, it } from "vitest";
import { startTicketServer } from "../../../../test/harness/rooms/tickets/ticket-server.ts";
import { by } from "../../../../test/harness/rooms/tickets/tickets.ts";

it("AC3 get_file_changes gives a JSON array of path and action", async () => {
  const { connect, tickets } = await startTicketServer();
  const solution = { overview: "x", fileChanges: { create: ["src/new.ts"], modify: ["src/old.ts"], delete: [] } };
  const document = { title: "Nested", techSpec: { solution } };
  await tickets.import(by(), [{ document, source: "x.json" }], "refuse");
  const { call } = await connect();
  const { text, structured } = await call("get_file_changes", { ticketId: "t-1" });
  const expected = [
    { path: "src/new.ts", action: "create" },
    { path: "src/old.ts", action: "modify" },
  ];
  expect(JSON.parse(text)).toEqual(expected);
  expect(structured).toEqual({ ticketId: "T-001", fileChanges: expected });
});

it("gives an empty array for a ticket without any, and an error for no ticket", async () => {
  const { connect, tickets } = await startTicketServer();
  await tickets.create(by(), { title: "Bare" });
  const { call } = await connect();
  expect((await call("get_file_changes", { ticketId: "T-001" })).text).toBe("[]");
  expect((await call("get_file_changes", { ticketId: "T-002" })).body).toMatchObject({ code: "NOT_FOUND" });
});
