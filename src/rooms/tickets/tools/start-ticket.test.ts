import { expect, it } from "vitest";
import { writeFiles } from "../../../../test/harness/git/git.ts";
import { startTicketServer } from "../../../../test/harness/rooms/tickets/ticket-server.ts";

const draft = { title: "Add logout", acceptanceCriteria: ["One"], status: "READY" };

async function inGit() {
  const server = await startTicketServer({ git: true });
  const commit = (message: string) => {
    server.git("add", "--all");
    server.git("commit", "--quiet", "--allow-empty", "--message", message);
  };
  writeFiles(server.cwd, { "a.txt": "1\n" });
  commit("first");
  const start = (ticketId: string) => server.command("start_ticket", { ticketId, gate: "execute" });
  const move = (ticketId: string, status: string) => server.command("update_ticket_status", { ticketId, status });
  const baseOf = async (id: string) => (await server.tickets.get(id)).document["executionBase"];
  return { ...server, commit, start, move, baseOf };
}

it("records where work starts, assigns the ticket once, and can be resumed by its assignee only", async () => {
  const { command, tickets, cwd, program, commit, start, move } = await inGit();
  await command("create_ticket", { title: "Add logout" });
  await expect(start("T-001")).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    message: "T-001 is DRAFT; only a ticket that is READY or VALIDATED can be run.",
  });
  await move("T-001", "READY");
  expect(await start("T-001")).toMatchObject({ assigned: true, ticket: { status: "READY" } });
  await move("T-001", "CREATED");
  expect(await start("T-001")).toMatchObject({ assigned: false });
  writeFiles(cwd, { "a.txt": "1\n2\n", "b.txt": "new\n" });
  commit("second");
  expect(await command("complete_ticket", { ticketId: "T-001", summary: "Done" })).toMatchObject({
    changeRecord: {
      branch: "main",
      filesChanged: [
        { path: "a.txt", additions: 1, deletions: 0 },
        { path: "b.txt", additions: 1, deletions: 0 },
      ],
    },
  });
  await command("create_ticket", { ...draft, assignee: "bob" });
  await move("T-002", "CREATED");
  await expect(start("T-002")).rejects.toMatchObject({
    message: "T-002 is CREATED and assigned to someone else.",
    next: [{ tool: "update_ticket", input: { ticketId: "T-002", assignee: "me" } }],
  });
  expect((await tickets.get("T-001")).assignee).toBe(program.principal().name);
});

it("records a new start after a ticket was handed back", async () => {
  const { command, git, commit, start, move, baseOf } = await inGit();
  await command("create_ticket", draft);
  await start("T-001");
  const first = await baseOf("T-001");
  await move("T-001", "CREATED");
  await move("T-001", "READY");
  commit("second");
  await start("T-001");
  expect(await baseOf("T-001")).not.toEqual(first);
  expect(await baseOf("T-001")).toEqual({ branch: "main", commit: git("rev-parse", "HEAD").trim() });
});

it("a review starts without a change, where the status allows it", async () => {
  const { command, tickets } = await startTicketServer();
  await command("create_ticket", draft);
  expect(await command("start_ticket", { ticketId: "T-001", gate: "review" })).toMatchObject({ assigned: false });
  expect((await tickets.get("T-001")).revision).toBe(1);
});
