import { expect, it } from "vitest";
import { startTicketServer } from "../../../../test/harness/rooms/tickets/ticket-server.ts";
import { by } from "../../../../test/harness/rooms/tickets/tickets.ts";

const questions = [{ question: "Which cookie?", category: "scope", blocking: true }, { question: "What if it fails?" }];

it("keeps the questions with the ticket, each once", async () => {
  const { connect, tickets } = await startTicketServer();
  await tickets.create(by(), { title: "Add logout" }, { status: "READY" });
  const { call } = await connect();
  const submitted = await call("submit_review_questions", { ticketId: "T-001", questions });
  expect(submitted.structured).toEqual({ ticketId: "T-001", status: "READY", added: ["Q-1", "Q-2"], open: 2 });
  const again = await call("submit_review_questions", { ticketId: "T-001", questions });
  expect(again.structured).toMatchObject({ added: [], open: 2 });
  expect((await call("get_ticket_context", { ticketId: "T-001" })).structured).toMatchObject({
    questions: [{ id: "Q-1", question: "Which cookie?", blocking: true }, { id: "Q-2" }],
  });
});

it("refuses none, too many and an unknown category", async () => {
  const { connect, tickets } = await startTicketServer();
  await tickets.create(by(), { title: "Add logout" });
  const { call } = await connect();
  for (const bad of [
    [],
    Array.from({ length: 51 }, (_, index) => ({ question: `Why ${index}?` })),
    [{ question: "Why?", category: "x" }],
  ]) {
    const { body } = await call("submit_review_questions", { ticketId: "T-001", questions: bad });
    expect(body).toMatchObject({ code: "VALIDATION_ERROR" });
  }
  expect((await tickets.get("T-001")).questions).toEqual([]);
});
