import { expect, test } from "vitest";
import { ProofProject, rightSum, sumTest } from "../../../../../test/harness/rooms/proof/proof-project.ts";
import { roomNamed } from "../../../../app/local/program.ts";
import { newRecord } from "../../../../kernel/calls/new-record.ts";
import { localPrincipal } from "../../../../kernel/principal.ts";
import type { TicketServices } from "../../../tickets/service/tickets.ts";

test("a ticket is executed as an item: starting moves it to CREATED, and a merge is recorded on it", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  const fileChanges = [{ path: "src/sum.js", action: "modify" }];
  await project.tool("update_ticket", { ticketId: id, description: "As on paper", fileChanges });
  const started = await project.tool("forge_execute_task", { block_id: "tickets", task_id: "t-1" });
  expect(started).toMatchObject({ status: "started", branch_created: "task-T-001-add-right", resumed: false });
  const during = await project.json(`show ${id}`);
  expect(during).toMatchObject({ status: "CREATED", records: { work: [{ status: "started" }] } });
  // The same caller resumes; a second way of saying it leads to the same execution.
  const again = await project.tool("forge_start_ticket", { ticketId: id });
  expect(again).toMatchObject({ resumed: true, execution_id: started["execution_id"] });
  project.write("src/sum.js", rightSum);
  project.write("test/sum.test.js", sumTest);
  const done = await project.tool("forge_commit_changes", {
    message: "Add right",
    execution_id: started["execution_id"],
  });
  expect(done).toMatchObject({ branch_merged: true, ticket: id });
  expect(JSON.stringify(done["next"])).toContain("forge_verify_ticket");
  // Its text, criteria and files are the task's.
  expect((await project.json(["task", "show", `tickets/${id}`]))["task"]).toMatchObject({
    name: "Add right",
    description: "As on paper",
    ticket_id: id,
    acceptance_criteria: ["AC-1: 2 + 2 is 4"],
    files_affected: ["src/sum.js"],
  });
  const [work] = (await project.json(`show ${id}`))["records"]?.["work"] ?? [];
  expect(work).toMatchObject({ status: "merged", into: "main", commit: project.git("rev-parse", "HEAD").trim() });
  expect(work?.["files"]).toEqual(["src/sum.js", "test/sum.test.js"]);
  const context = await project.tool("get_ticket_context", { ticketId: id });
  expect(context).toMatchObject({ work: [{ execution: started["execution_id"], status: "merged" }] });
  expect(await project.do(`show ${id}`)).toContain("merged");
  expect((await project.do(`show ${id} --history`)).toLowerCase()).toContain("work");
});

test("the prompt begins the execution, and says where to work", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  await project.do(["check", "add", id, "AC-1", "--test", "test/sum.test.js::adds"]);
  const text = await project.do(["prompt", "forge_execute", `ticketId=${id}`]);
  expect(text).toContain("Its execution is exec_");
  // What was done and proven so far is part of it.
  expect(text).toMatch(/<execution id="exec_\w+" status="started" branch="task-T-001-add-right"/);
  expect(text).toContain('<criterion id="AC-1">unproven: It has not been run.</criterion>');
  expect(project.git("branch", "--show-current").trim()).toBe("task-T-001-add-right");
});

test("`forge start` takes a ticket or a task; tasks and their ticket show each other", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  await project.do(["block", "create", "Sums"]);
  const task = (await project.do(["task", "create", "Sums", "Write the sum", "--ticket", id]))
    .trim()
    .split(/\s/)
    .at(-1);
  const shown = await project.json(`show ${id}`);
  expect(shown["tasks"]).toMatchObject([{ name: "Write the sum", status: "pending" }]);
  const ref = String(shown["tasks"]?.[0]?.["id"]);
  expect(task).toBeDefined();
  const execution = (await project.do(["start", ref])).trim();
  expect(execution).toMatch(/^exec_/);
  expect(await project.do(["task", "show", ref])).toContain(id);
  await project.do(["run", "cancel", execution]);
  const work = (await project.json(`show ${id}`))["records"]?.["work"];
  expect(work).toMatchObject([{ execution, task: ref, status: "cancelled" }]);
});

test("exports leave the tickets' block out, and a block of that name is the user's", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  await project.do(["start", id]);
  expect(await project.do("block export")).not.toContain("Work on tickets");
  const other = await ProofProject.open();
  await other.do(["block", "create", "tickets"], { atKeyboard: true });
  const ticket = await other.ticket();
  expect(await other.refused("forge_start_ticket", { ticketId: ticket })).toContain("tickets");
  expect((await other.json(`show ${ticket}`))["status"]).toBe("READY");
});

test("a ticket that cannot be started changes nothing", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  project.write("src/sum.js", "dirty\n");
  const { code, err } = await project.run(["start", id]);
  expect([code, err]).toEqual([1, expect.stringContaining("uncommitted")]);
  expect((await project.json(`show ${id}`))["status"]).toBe("READY");
  expect(await project.refused("forge_start_ticket", { ticketId: "T-099" })).toContain("not found");
  expect(project.git("branch", "--list", "task-*")).toBe("");
});

test("a ticket is offered for completion when all of its tasks are merged, and it is proven", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  await project.do(["block", "create", "Sums"]);
  for (const name of ["Write the sum", "Test the sum"])
    await project.do(["task", "create", "Sums", name, "--ticket", id]);
  await project.do(["check", "add", id, "AC-1", "--file", "src/sum.js", "--pattern", "a \\+ b"]);
  const tasks = async () => (await project.tool("get_ticket_context", { ticketId: id }))["tasks"] ?? [];
  const [first, second] = (await tasks()).map((task) => String(task["id"]));
  const work = async (task: string | undefined, path: string, text: string) => {
    await project.do(["start", String(task)]);
    project.write(path, text);
    return (await project.json(["run", "commit", "-m", "Work"]))["next"];
  };
  expect(await work(first, "src/sum.js", rightSum)).toMatchObject([
    { tool: "forge_execute_task", input: { block_id: expect.any(String), task_id: second?.split("/").at(-1) } },
  ]);
  expect(await project.json(["verify", id])).toMatchObject({ proven: true, next: [{ tool: "forge_execute_task" }] });
  expect(await work(second, "test/sum.test.js", sumTest)).toMatchObject([
    { tool: "update_ticket_status", input: { ticketId: id, status: "COMPLETE" } },
  ]);
  expect((await tasks()).map(({ status }) => status)).toEqual(["completed", "completed"]);
});

test("work whose end the ticket was not told is settled when the ticket is read next", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  await project.change(id, { "src/sum.js": rightSum });
  const workOf = async () => (await project.json(["show", id, "--history"]))["records"]?.["work"]?.[0];
  const execution = (await workOf())?.["execution"];
  // As if the process had been killed between the merge and the ticket.
  await project.inside(async (program) => {
    const { tickets } = (await program.services(roomNamed("tickets"))) as TicketServices;
    const principal = localPrincipal("ada");
    const record = newRecord(principal, { id: "r", at: Date.now(), kind: "command", name: "test", effect: "act" });
    await tickets.record({ principal, record }, id, {
      kind: "work",
      work: { execution: String(execution), status: "started" },
    });
  });
  expect(await project.tool("get_ticket_context", { ticketId: id })).toMatchObject({ work: [{ status: "merged" }] });
  expect(await workOf()).toMatchObject({ execution, status: "merged", into: "main", files: ["src/sum.js"] });
});
