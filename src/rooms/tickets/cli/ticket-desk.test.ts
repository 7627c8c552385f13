import { expect, it } from "vitest";
import { writeFiles } from "../../../../test/harness/git.ts";
import { startTicketServer } from "../../../../test/harness/ticket-server.ts";

const draft = { title: "Add logout", acceptanceCriteria: ["One", "Two", "Three"], priority: "high" as const };

it("takes an edited ticket, with the ids of criteria that stayed", async () => {
  const { desk, tickets } = startTicketServer();
  await desk.create(draft, undefined);
  const { text, revision } = await desk.editable("T-001");
  const edited = text
    .replace("1. One\n", "")
    .replace("# Add logout", "# Add sign-out")
    .replace("Three", "Three\n4. Four");
  expect(await desk.saveEdited("T-001", { text: edited, revision })).toMatchObject({
    changed: true,
    ticket: { title: "Add sign-out" },
  });
  expect((await tickets.get("T-001")).criteria.map(({ id, text: said }) => [id, said])).toEqual([
    ["AC-2", "Two"],
    ["AC-3", "Three"],
    ["AC-4", "Four"],
  ]);
  expect(await desk.saveEdited("T-001", await desk.editable("T-001"))).toMatchObject({ changed: false });
  await expect(desk.saveEdited("T-001", { text: edited, revision })).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
});

it("brings back what it gave out, in every format", async () => {
  const { desk, tickets } = startTicketServer();
  await desk.create(
    { ...draft, solution: "</ticket> ]]> --> ## Scope", fileChanges: [{ path: "a.ts", action: "create" }] },
    "READY",
  );
  await desk.addQuestions("T-001", [{ question: "Which one?", blocking: true }]);
  await desk.answer("T-001", { "Q-1": "This one" });
  const before = await tickets.get("T-001");
  for (const format of ["json", "xml", "markdown"] as const) {
    const text = await desk.export("T-001", format);
    const source = `ticket.${format === "markdown" ? "md" : format}`;
    const request = { text, source, format: undefined };
    const again = await desk.import({ ...request, onExisting: "replace" });
    expect(again, format).toMatchObject({ outcomes: [{ id: "T-001", outcome: "unchanged" }], warnings: [] });
    const { outcomes } = await desk.import({ ...request, onExisting: "new-id" });
    const copy = await tickets.get(outcomes[0]?.id ?? "");
    expect(copy.document, format).toEqual(before.document);
    expect(copy, format).toMatchObject({
      title: before.title,
      status: "READY",
      priority: "high",
      criteria: before.criteria,
    });
  }
});

it("refuses what an assistant could not write either", async () => {
  const { desk, tickets } = startTicketServer();
  for (const bad of [
    { title: "ab" },
    { title: "x".repeat(301) },
    { ...draft, fileChanges: [{ path: "../../x", action: "modify" as const }] },
  ]) {
    await expect(desk.create(bad, undefined)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  }
  await desk.create(draft, undefined);
  await expect(desk.addQuestions("T-001", [{ question: "?" }])).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect((await tickets.list({})).tickets).toHaveLength(1);
});

it("says what does not fit in words for whoever typed it", async () => {
  const { desk } = startTicketServer();
  await desk.create(draft, undefined);
  const path = { path: "../x", action: "modify" as const };
  const said: [Promise<unknown>, string][] = [
    [desk.create({ title: " x " }, undefined), 'The title " x " is too short: at least 3 characters.'],
    [
      desk.create({ title: "x".repeat(301) }, undefined),
      "The title is too long: at most 300 characters, and it has 301.",
    ],
    [
      desk.create({ ...draft, fileChanges: [{ ...path, path: "a.ts" }, path] }, undefined),
      'The file 2 "../x" must be a path inside the repository, relative to its root.',
    ],
    [
      desk.create({ ...draft, acceptanceCriteria: Array(501).fill("It works.") }, undefined),
      "There is too much of one kind, criterion: at most 500.",
    ],
    [desk.create({ title: "", assignee: "" }, undefined), "The title is empty. The assignee is empty."],
    [desk.assign("T-001", ""), "The assignee is empty."],
    [desk.addQuestions("T-001", [{ question: "?" }]), 'The question "?" is too short: at least 3 characters.'],
  ];
  for (const [refused, message] of said)
    await expect(refused).rejects.toMatchObject({
      message,
      suggestions: ["Correct it and run the command again."],
    });
});

it("begins an execution where git stands, assigns it once, and resumes only for who is on it", async () => {
  const { desk, tickets, cwd, git, program } = startTicketServer({ git: true });
  writeFiles(cwd, { "a.txt": "1\n" });
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  await desk.create(draft, undefined);
  await expect(desk.begin("execute", "T-001", false)).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    message: "T-001 is DRAFT; a ticket can be executed when it is READY or VALIDATED.",
  });
  await desk.move("T-001", "READY");
  expect(await desk.begin("execute", "T-001", false)).toMatchObject({ assigned: true, ticket: { status: "READY" } });
  await desk.move("T-001", "CREATED");
  expect(await desk.begin("execute", "T-001", false)).toMatchObject({ assigned: false });
  writeFiles(cwd, { "a.txt": "1\n2\n", "b.txt": "new\n" });
  git("add", "--all");
  git("commit", "--quiet", "--message", "second");
  expect((await desk.complete("T-001", { summary: "Done", divergences: [] })).changeRecord).toMatchObject({
    branch: "main",
    filesChanged: [
      { path: "a.txt", additions: 1, deletions: 0 },
      { path: "b.txt", additions: 1, deletions: 0 },
    ],
  });
  await desk.create({ title: "Of another", assignee: "bob" }, "READY");
  await desk.move("T-002", "CREATED");
  await expect(desk.begin("execute", "T-002", false)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect((await tickets.get("T-001")).assignee).toBe(program.principal().name);
});

it("knows who I am, and for whom it was started", async () => {
  const { desk, program } = startTicketServer();
  const me = program.principal().name;
  expect((await desk.create({ ...draft, assignee: "me" }, "READY")).assignee).toBe(me);
  expect((await desk.assign("T-001", null)).assignee).toBeUndefined();
  expect((await desk.assign("T-001", "me")).assignee).toBe(me);
  expect((await desk.list({ assignee: "me" })).tickets).toHaveLength(1);
});

it("starts anew from where git stands after a ticket was handed back", async () => {
  const { desk, tickets, cwd, git } = startTicketServer({ git: true });
  writeFiles(cwd, { "a.txt": "1\n" });
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  await desk.create(draft, "READY");
  await desk.begin("execute", "T-001", false);
  const baseOf = async () => (await tickets.get("T-001")).document["executionBase"];
  const first = await baseOf();
  await desk.move("T-001", "CREATED");
  await desk.move("T-001", "READY");
  git("commit", "--quiet", "--allow-empty", "--message", "second");
  await desk.begin("execute", "T-001", false);
  expect(await baseOf()).not.toEqual(first);
  expect(await baseOf()).toEqual({ branch: "main", commit: git("rev-parse", "HEAD").trim() });
});
