import { expect, it } from "vitest";
import { startTicketServer } from "../../../../test/harness/rooms/tickets/ticket-server.ts";
import { by } from "../../../../test/harness/rooms/tickets/tickets.ts";

it("gives a ticket to one connection, and two assistants of one person are two", async () => {
  const { connect, tickets } = await startTicketServer();
  await tickets.create(by(), { title: "Add logout" }, { status: "READY" });
  const assistants = await Promise.all(Array.from({ length: 4 }, () => connect({ name: "claude-code" })));
  const claims = await Promise.all(assistants.map(({ call }) => call("claim_ticket", { ticketId: "T-001" })));
  expect(claims.filter(({ isError }) => !isError)).toHaveLength(1);
  const loser = claims.findIndex(({ isError }) => isError);
  expect(claims[loser]?.body).toMatchObject({ code: "CONFLICT_ERROR", details: { holder: expect.any(String) } });
  const refused = await assistants[loser]?.call("update_ticket_status", { ticketId: "T-001", status: "CREATED" });
  expect(refused?.body).toMatchObject({ code: "CONFLICT_ERROR" });
});

it("lasts anew when claimed again, and is given back", async () => {
  const { connect, tickets } = await startTicketServer();
  await tickets.create(by(), { title: "Add logout" }, { status: "READY" });
  const [first, second] = await Promise.all([connect({ era: "legacy" }), connect({ era: "legacy" })]);
  const claimed = await first.call("claim_ticket", { ticketId: "T-001", minutes: 1 });
  expect(claimed.structured).toMatchObject({ claimed: true, status: "READY", assignee: expect.any(String) });
  const again = await first.call("claim_ticket", { ticketId: "T-001", minutes: 60 });
  expect(again.structured).toMatchObject({ holder: claimed.structured["holder"] });
  expect(String(again.structured["until"]) > String(claimed.structured["until"])).toBe(true);
  expect((await second.call("claim_ticket", { ticketId: "T-001", release: true })).body).toMatchObject({
    code: "CONFLICT_ERROR",
  });
  expect((await first.call("claim_ticket", { ticketId: "T-001", release: true })).structured).toMatchObject({
    claimed: false,
  });
  expect((await second.call("claim_ticket", { ticketId: "T-001", worker: "night-shift" })).structured).toMatchObject({
    holder: expect.stringContaining(":night-shift"),
  });
});
