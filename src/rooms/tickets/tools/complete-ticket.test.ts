import { expect, test } from "vitest";
import { writeFiles } from "../../../../test/harness/git/git.ts";
import { startTicketServer } from "../../../../test/harness/rooms/tickets/ticket-server.ts";
import { by, callOf } from "../../../../test/harness/rooms/tickets/tickets.ts";

/** A repository with one commit, and a ticket that is ready. */
async function startProject() {
  const server = await startTicketServer({ git: true });
  const write = (name: string, text: string) => writeFiles(server.cwd, { [name]: text });
  write(".gitignore", ".forge/\nbuilt.js\n");
  write("old.txt", "one\ntwo\n");
  const commit = (message: string) => {
    server.git("add", "--all");
    server.git("commit", "--quiet", "--message", message);
  };
  commit("start");
  await server.tickets.create(by(), { title: "Add logout" }, { status: "READY" });
  /** Some work: one file committed, one changed, one that git does not know, one that it ignores. */
  const work = () => {
    write("committed.txt", "a\n");
    commit("work");
    write("old.txt", "one\n2\nthree\n");
    write("new.txt", "x\ny\nz");
    write("built.js", "ignored");
  };
  const record = async () => (await server.tickets.get("T-001")).changeRecord;
  return { ...server, write, commit, work, record };
}

const done = [
  { path: "committed.txt", additions: 1, deletions: 0 },
  { path: "new.txt", additions: 3, deletions: 0 },
  { path: "old.txt", additions: 2, deletions: 1 },
];

type Project = Awaited<ReturnType<typeof startProject>>;

/** Every way in which work on a ticket can begin. */
const beginnings: [string, (project: Project) => Promise<unknown>][] = [
  ["forge execute", ({ command }) => command("start_ticket", { ticketId: "T-001", gate: "execute" })],
  [
    "the prompt",
    async ({ connect }) =>
      (await connect()).client.getPrompt({ name: "forge_execute", arguments: { ticketId: "T-001" } }),
  ],
  [
    "an assistant's move to CREATED",
    async ({ connect }) => (await connect()).call("update_ticket_status", { ticketId: "T-001", status: "CREATED" }),
  ],
  [
    "a person's move to CREATED",
    ({ command }) => command("update_ticket_status", { ticketId: "T-001", status: "CREATED" }),
  ],
  [
    "two starts, with work in between",
    async ({ command, write, commit }) => {
      await command("start_ticket", { ticketId: "T-001", gate: "execute" });
      write("early.txt", "1\n");
      commit("early");
      await command("start_ticket", { ticketId: "T-001", gate: "execute" });
    },
  ],
];

test.each(beginnings)("the record is right when work began by %s", async (_, begin) => {
  const project = await startProject();
  await begin(project);
  project.work();
  await project.command("update_ticket_status", { ticketId: "T-001", status: "CREATED" });
  await project.command("complete_ticket", { ticketId: "T-001" });
  expect((await project.record())?.["filesChanged"]).toEqual(expect.arrayContaining(done));
  expect(JSON.stringify(await project.record())).not.toContain("built.js");
});

test.each(beginnings)(
  "what was changed before counts only if it changed again, when work began by %s",
  async (_, begin) => {
    const project = await startProject();
    const first = project.git("rev-parse", "HEAD").trim();
    project.write("left.txt", "draft\n");
    project.write("again.txt", "draft\n");
    project.git("mv", "old.txt", "moved.txt");
    await begin(project);
    project.write("again.txt", "draft\nmore\n");
    project.write("new.txt", "x\ny\nz");
    project.git("add", "left.txt");
    await project.command("update_ticket_status", { ticketId: "T-001", status: "CREATED" });
    await project.command("complete_ticket", { ticketId: "T-001" });
    const again = { path: "again.txt", additions: 2, deletions: 0 };
    const early = { path: "early.txt", additions: 1, deletions: 0 };
    expect([
      [again, done[1]],
      [again, early, done[1]],
    ]).toContainEqual((await project.record())?.["filesChanged"]);
    expect(JSON.stringify((await project.tickets.get("T-001")).document["executionBase"])).not.toContain(".txt");
    expect(JSON.stringify(await project.tickets.history("T-001"))).not.toContain("changedBefore");
    await project.command("complete_ticket", { ticketId: "T-001", correct: true, since: first });
    expect(JSON.stringify(await project.record())).toContain("moved.txt");
  },
);

test("work that began before the first commit is counted", async () => {
  const server = await startTicketServer({ git: true });
  writeFiles(server.cwd, { ".gitignore": ".forge/\n", "draft.txt": "mine\n" });
  await server.tickets.create(by(), { title: "Add logout" }, { status: "READY" });
  await server.command("start_ticket", { ticketId: "T-001", gate: "execute" });
  writeFiles(server.cwd, { "new.txt": "x\n" });
  server.git("add", "--all");
  server.git("commit", "--quiet", "--message", "first");
  await server.command("update_ticket_status", { ticketId: "T-001", status: "CREATED" });
  expect(await server.command("complete_ticket", { ticketId: "T-001" })).toMatchObject({
    changeRecord: { filesChanged: [{ path: "new.txt", additions: 1, deletions: 0 }] },
  });
});

test("an assistant that moves a ticket to COMPLETE leaves the same record", async () => {
  const project = await startProject();
  const { call } = await project.connect();
  await call("update_ticket_status", { ticketId: "T-001", status: "CREATED" });
  project.work();
  await call("update_ticket_status", { ticketId: "T-001", status: "COMPLETE" });
  expect(await project.record()).toMatchObject({ filesChanged: done, branch: "main" });
});

test("where nothing was recorded, the time at which work began tells the commit", async () => {
  const project = await startProject();
  // As a client that knows no repository does it.
  await project.tickets.move(by(), "T-001", "CREATED");
  const later = new Date(Date.now() + 60_000).toISOString();
  project.write("committed.txt", "a\n");
  project.git("add", "--all");
  project.git("-c", `committer.date=${later}`, "commit", "--quiet", "--date", later, "--message", "work");
  project.write("new.txt", "x\ny\nz");
  await project.command("complete_ticket", { ticketId: "T-001" });
  expect((await project.record())?.["filesChanged"]).toEqual(expect.arrayContaining([done[1]]));
});

test("a record is corrected, and the history keeps the former one", async () => {
  const project = await startProject();
  project.work();
  await project.command("start_ticket", { ticketId: "T-001", gate: "execute" });
  await project.command("update_ticket_status", { ticketId: "T-001", status: "CREATED" });
  await project.command("complete_ticket", { ticketId: "T-001", summary: "Kept." });
  expect((await project.record())?.["filesChanged"]).toBeUndefined();
  await expect(project.command("complete_ticket", { ticketId: "T-001" })).rejects.toMatchObject({
    message: "T-001 is already COMPLETE.",
  });
  await project.command("complete_ticket", { ticketId: "T-001", correct: true, since: "HEAD~1" });
  expect(await project.record()).toMatchObject({ executionSummary: "Kept.", filesChanged: done });
  const history = await project.tickets.history("T-001");
  expect(history.at(-1)).toMatchObject({
    kind: "corrected",
    details: { former: { filesChanged: [] }, filesChanged: done },
  });
  await expect(
    project.command("complete_ticket", { ticketId: "T-001", correct: true, since: "--output=x" }),
  ).rejects.toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining("git does not know") });
});

test("a read-only server's prompt changes nothing", async () => {
  const { tickets, services, program } = await startProject();
  const { makeTicketPrompt } = await import("../prompts/ticket-prompt.ts");
  const { principal } = program.caller(new AbortController().signal);
  const readOnly = callOf(by({ ...principal, readOnly: true }));
  const task = { gate: "execute", guide: "dev-executor", reminder: () => "" } as const;
  await makeTicketPrompt(services, readOnly, task, "T-001");
  expect(await tickets.get("T-001")).toMatchObject({ revision: 1 });
});
