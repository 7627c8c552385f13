import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFiles } from "../harness/git/git.ts";
import { startTicketServer } from "../harness/rooms/tickets/ticket-server.ts";

const hostile = { id: "T-001", title: "Fix", status: "READY", acceptanceCriteria: ["Works"] };
const passing = 'require("node:test")("works", () => {});\n';

/** A trusted project with an imported ticket, and a branch of somebody else's that was fetched. */
async function start() {
  const server = await startTicketServer({ git: true });
  const { cwd, git, command } = server;
  const mark = join(cwd, "..", "ran");
  const files = { "package.json": '{"scripts":{"test":"node --test"}}\n', "a.test.js": passing };
  writeFiles(cwd, { ...files, ".gitignore": ".forge/\n" });
  git("add", "-A");
  git("commit", "--quiet", "-m", "First");
  git("commit", "--quiet", "--allow-empty", "-m", "Second");
  git("checkout", "--quiet", "-b", "theirs");
  writeFiles(cwd, { "a.test.js": `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "");\n${passing}` });
  git("commit", "--quiet", "-am", "Theirs");
  git("update-ref", "refs/remotes/origin/theirs", "HEAD");
  // Of the user's own commits in name only: what is in a merge need not come from its parents.
  const parents = ["-p", "main", "-p", "main~1"];
  git("update-ref", "refs/remotes/origin/merge", git("commit-tree", "-m", "Merge", ...parents, "HEAD^{tree}").trim());
  git("checkout", "--quiet", "main");
  git("branch", "--quiet", "-D", "theirs");
  await command("import_tickets", { text: JSON.stringify(hostile), source: "x.json", onExisting: "refuse" });
  await server.trust();
  const { call } = await server.connect();
  await call("get_ticket_context", { ticketId: "T-001" });
  const check = { ticketId: "T-001", criterion: "AC-1", test: "a.test.js::works" };
  expect((await call("forge_bind_check", check)).isError).toBe(false);
  return { ...server, call, hasRun: () => existsSync(mark) };
}

test("F08 a ticket by others does not have the tests of a fetched branch run unasked", async () => {
  const { call, command, hasRun } = await start();
  const verify = (commit: string) => call("forge_verify_ticket", { ticketId: "T-001", commit });
  for (const branch of ["origin/theirs", "origin/merge"])
    expect((await verify(branch)).body, branch).toMatchObject({
      code: "PERMISSION_DENIED",
      details: { outside: [expect.stringMatching(/^commit:[0-9a-f]{40}$/)] },
    });
  expect(hasRun()).toBe(false);
  // What is checked out, or was, is the user's own.
  expect((await verify("main")).isError).toBe(false);
  await command("forge_verify_ticket", { ticketId: "T-001", commit: "origin/theirs" });
  expect(hasRun()).toBe(true);
});
