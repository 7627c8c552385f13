import { expect, test } from "vitest";
import { startTicketServer } from "../../../../test/harness/rooms/tickets/ticket-server.ts";
import { by } from "../../../../test/harness/rooms/tickets/tickets.ts";

async function startBlocked(status: "READY" | "CREATED" = "READY") {
  const server = await startTicketServer();
  await server.tickets.create(by(), { title: "Add logout" }, { status: "READY" });
  if (status === "CREATED") await server.tickets.move(by(), "T-001", "CREATED");
  await server.tickets.addQuestions(by(), "T-001", [{ question: "For guests too?", blocking: true }]);
  return server;
}

const blocked = {
  code: "VALIDATION_ERROR",
  message: expect.stringContaining("T-001 has 1 BLOCKING question"),
  details: { questions: ["Q-1"] },
};

test("an answered review leaves no question open", async () => {
  const { connect, tickets } = await startTicketServer();
  await tickets.create(by(), { title: "Add logout" }, { status: "READY" });
  const { call } = await connect();
  const questions = [
    { question: "For guests too?", blocking: true, answer: "No." },
    { question: "For how long?", answer: "A day." },
    { question: "In which colour?" },
  ];
  const { structured } = await call("submit_review_questions", { ticketId: "T-001", questions });
  expect(structured).toMatchObject({ added: ["Q-1", "Q-2", "Q-3"], open: 1 });
  expect(await tickets.get("T-001")).toMatchObject({
    questions: [{ answer: "No.", answeredBy: expect.any(String) }, { answer: "A day." }, { id: "Q-3" }],
    reviewSession: { qaItems: [{ question: "For guests too?", answer: "No." }, { question: "For how long?" }] },
  });
  // The rest comes later, with the questions as they were sent before.
  const later = [...questions.slice(0, 2), { question: "In which colour?", answer: "Red." }];
  const again = await call("submit_review_questions", { ticketId: "T-001", questions: later });
  expect(again.structured).toMatchObject({ added: [], open: 0 });
  expect((await tickets.history("T-001")).at(-1)).toMatchObject({ kind: "answers", details: { questions: ["Q-3"] } });
});

test("an open BLOCKING question stops every start over MCP", async () => {
  const { connect, command, tickets } = await startBlocked();
  const { client, call } = await connect();
  await expect(command("start_ticket", { ticketId: "T-001", gate: "execute" })).rejects.toMatchObject(blocked);
  await expect(client.getPrompt({ name: "forge_execute", arguments: { ticketId: "T-001" } })).rejects.toThrow(
    "T-001 has 1 BLOCKING question",
  );
  expect((await call("update_ticket_status", { ticketId: "T-001", status: "CREATED" })).body).toMatchObject(blocked);
  expect(await tickets.get("T-001")).toMatchObject({ status: "READY" });
  await tickets.answer(by(), "T-001", { "Q-1": "No." });
  expect((await call("update_ticket_status", { ticketId: "T-001", status: "CREATED" })).isError).toBe(false);
});

test("and every way to complete a ticket", async () => {
  const { connect, command, tickets } = await startBlocked("CREATED");
  const { call } = await connect();
  expect((await call("update_ticket_status", { ticketId: "T-001", status: "COMPLETE" })).body).toMatchObject(blocked);
  await expect(command("complete_ticket", { ticketId: "T-001" })).rejects.toMatchObject(blocked);
  await expect(tickets.move(by(), "T-001", "COMPLETE")).rejects.toMatchObject(blocked);
  const document = { id: "T-001", title: "Add logout", status: "COMPLETE" };
  await expect(tickets.import(by(), [{ document, source: "x" }], "replace")).rejects.toMatchObject(blocked);
  const { revision } = await tickets.get("T-001");
  await expect(tickets.replace(by(), "T-001", document, revision)).rejects.toMatchObject(blocked);
});

test("no import or edit takes it away but by an answer, unless a person makes it", async () => {
  const { tickets } = await startBlocked("CREATED");
  const asked = { id: "Q-1", question: "For guests too?", blocking: true };
  const withQuestions = (...questions: object[]) => ({ id: "T-001", title: "Add logout", questions });
  const denied = { code: "PERMISSION_DENIED", message: expect.stringContaining("Only a person") };
  const { revision } = await tickets.get("T-001");
  for (const document of [
    withQuestions(),
    withQuestions({ ...asked, dismissed: "No guests." }),
    withQuestions({ ...asked, blocking: false }),
    withQuestions({ ...asked, question: "For guests?" }),
    { ...withQuestions({ question: "Why?", answer: "So." }), techSpec: { questions: [asked] } },
  ]) {
    await expect(tickets.import(by(), [{ document, source: "x" }], "replace")).rejects.toMatchObject(denied);
    await expect(tickets.replace(by(), "T-001", document, revision)).rejects.toMatchObject(denied);
  }
  expect((await tickets.get("T-001")).questions).toMatchObject([asked]);
  const [person, document] = [by(), withQuestions()];
  const atKeyboard = { ...person, principal: { ...person.principal, atKeyboard: true as const } };
  await tickets.import(atKeyboard, [{ document, source: "x" }], "replace");
  await tickets.addQuestions(by(), "T-001", [asked]);
  const answered = { document: withQuestions({ ...asked, answer: "No." }), source: "x" };
  await tickets.import(by(), [answered], "replace");
  expect((await tickets.get("T-001")).questions).toMatchObject([{ answer: "No." }]);
});

test("a person dismisses a question with a reason; nobody else can", async () => {
  const { command, tickets } = await startBlocked("CREATED");
  await expect(tickets.dismiss(by(), "T-001", { "Q-1": "No guests yet." })).rejects.toMatchObject({
    code: "PERMISSION_DENIED",
  });
  await command("update_questions", { ticketId: "T-001", dismiss: ["Q-1=No guests yet."] });
  expect((await tickets.get("T-001")).questions).toMatchObject([
    { dismissed: "No guests yet.", dismissedBy: expect.any(String), dismissedAt: expect.any(String) },
  ]);
  await command("complete_ticket", { ticketId: "T-001" });
  expect(await tickets.get("T-001")).toMatchObject({ status: "COMPLETE" });
});
