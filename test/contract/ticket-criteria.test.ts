import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFiles } from "../harness/git/git.ts";
import { startTicketServer } from "../harness/rooms/tickets/ticket-server.ts";
import { by } from "../harness/rooms/tickets/tickets.ts";

/** An acceptance criterion of tickets that concerns several parts; the tests of the others are beside those parts. `npm run check` runs the compiler (AC12). */

test("AC13 all four tools, where they succeed and where they fail, through a client", async () => {
  const inGit = await startTicketServer({ git: true });
  writeFiles(inGit.cwd, { "a.txt": "1\n" });
  inGit.git("add", "--all");
  const fileChanges = [{ path: "src/logout.ts", action: "create" as const }];
  await inGit.tickets.create(
    by(),
    { title: "Add logout", acceptanceCriteria: ["Gone"], fileChanges },
    { status: "READY" },
  );
  const { call } = await inGit.connect();
  expect((await call("get_ticket_context", { ticketId: "T-001" })).structured).toMatchObject({
    id: "T-001",
    fileChanges,
  });
  expect(JSON.parse((await call("get_file_changes", { ticketId: "T-001" })).text)).toEqual(fileChanges);
  expect((await call("get_repository_context")).structured).toMatchObject({
    branch: "main",
    status: { staged: ["a.txt"] },
  });
  const move = { ticketId: "T-001", status: "CREATED" };
  expect((await call("update_ticket_status", move)).structured).toMatchObject({ success: true, newStatus: "CREATED" });

  for (const [tool, args] of [
    ["get_ticket_context", { ticketId: "T-404" }],
    ["get_file_changes", { ticketId: "T-404" }],
    ["get_repository_context", { path: join(inGit.cwd, "absent") }],
    ["update_ticket_status", { ticketId: "T-404", status: "READY" }],
  ] as const) {
    const { isError, body } = await call(tool, args);
    expect({ isError, code: body["code"] }, tool).toEqual({ isError: true, code: "NOT_FOUND" });
  }
  expect((await call("list_tickets")).isError).toBe(false);
});
