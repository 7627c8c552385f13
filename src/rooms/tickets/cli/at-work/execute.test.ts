import { expect, test } from "vitest";
import { ProofProject, rightSum } from "../../../../../test/harness/rooms/proof/proof-project.ts";
import { atTerminal, WatchedStream } from "../../../../../test/harness/rooms/tickets/ticket-cli.ts";
import type { App } from "../../../../commons/cli/app.ts";

/** Runs it on a terminal until it waits for an assistant. */
async function executeAtTerminal(project: ProofProject, line: string) {
  const stop = new AbortController();
  const stdout = new WatchedStream([["of the server forge", () => stop.abort()]]);
  const result = await project.run(line.split(" "), { with: atTerminal(), stdout, signal: stop.signal });
  return { ...result, out: stdout.text };
}

test("forge execute begins the ticket's execution, which the assistant continues", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  const { out } = await executeAtTerminal(project, `execute ${id}`);
  expect(out).toContain(`${id} is CREATED and now assigned to you`);
  expect(out).toMatch(/Execution exec_\w+ on branch task-T-001-add-right in /);
  expect(project.git("branch", "--show-current").trim()).toBe("task-T-001-add-right");
  const [work] = (await project.json(["show", id]))["records"]?.["work"] ?? [];
  const started = await project.tool("forge_execute_task", { block_id: "tickets", task_id: id });
  expect(started).toMatchObject({ resumed: true, execution_id: work?.["execution"] });
  project.write("src/sum.js", rightSum);
  expect(await project.tool("forge_commit_changes", { message: "Right sums" })).toMatchObject({ branch_merged: true });
});

test("on a pipe it serves what ends the work, too", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  const served: unknown[] = [];
  const stdio = async (selection: unknown) => {
    served.push(selection, (await project.json(["show", id]))["status"]);
    return 0;
  };
  const onPipe = (app: App) => ({ serve: { ...app.serve, stdio } });
  expect(await project.run(["execute", id], { with: onPipe })).toMatchObject({ code: 0, out: "", err: "" });
  expect(served).toEqual([{ toolsets: "tickets,workbench,proof", profile: undefined, readOnly: false }, "CREATED"]);
});

test("where no branch can be started, it says why and goes on; a review starts nothing", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  await executeAtTerminal(project, `review ${id}`);
  expect(project.git("branch", "--show-current").trim()).toBe("main");
  project.write("src/sum.js", "dirty\n");
  const { out, err } = await executeAtTerminal(project, `execute ${id}`);
  expect(err).toContain("No execution was started: There are uncommitted changes");
  expect(out).toContain(`${id} is READY`);
  expect((await project.json(["show", id]))["status"]).toBe("READY");
});

test("people see the project's own words for statuses; programs see the specified names", async () => {
  const project = await ProofProject.open();
  project.write(".forge/project.json", '{"statuses":{"Doing":"CREATED","Up next":"READY","Shipped":"COMPLETE"}}');
  const id = await project.ticket();
  expect(await project.do("list --plain")).toContain("Up next");
  expect((await executeAtTerminal(project, `execute ${id}`)).out).toContain(`${id} is Doing and now assigned`);
  expect(await project.do(["show", id, "--history"])).toContain("Up next → Doing");
  expect(await project.do(["status", id])).toContain("Doing");
  expect(await project.json(["show", id])).toMatchObject({ status: "CREATED" });
  expect(await project.do(["list", "--tsv"])).toContain("CREATED");
  await project.do(["run", "cancel"]);
  await project.do(["complete", id]);
  expect(await project.do("list --plain --status shipped")).toContain("Shipped (unproven)");
  project.write(".forge/project.json", '{"statuses":{"Doing":"NOWHERE"}}');
  expect((await project.run("list --plain")).err).toContain("NOWHERE");
});
