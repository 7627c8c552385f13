import { expect, test } from "vitest";
import { eventually } from "../harness/cli/processes.ts";
import { type RunningProgram, startForge } from "../harness/cli/program.ts";
import { configuredTest, processesIn } from "../harness/commons/testing.ts";
import { makeWorkbenchProject } from "../harness/rooms/workbench/workbench-program.ts";

/** A project whose tests are this script, trusted, with the built program on it. */
async function startWith(script: string) {
  const project = makeWorkbenchProject({ ...configuredTest("sh", "tests.sh"), "tests.sh": script });
  project.forge("trust", "--yes");
  const program = startForge(["mcp", "--profile", "workbench"], { cwd: project.cwd, env: project.env });
  await program.initialize();
  const others = () => processesIn(project.cwd).filter((pid) => pid !== String(program.pid));
  return { program, others };
}

function runTests(program: RunningProgram, args: Record<string, unknown> = {}) {
  const params = { name: "forge_run_tests", arguments: args, _meta: { progressToken: "tests" } };
  return program.ask("tools/call", params);
}

const stubborn = "trap '' TERM INT HUP\n(setsid sh -c 'trap \"\" TERM HUP; while :; do sleep 1; done' &)\n";

test("tests that flood both streams and flee: stdout stays pure, and a cancelled call ends them all", async () => {
  const { program, others } = await startWith(`${stubborn}yes '{"jsonrpc":"2.0","id":1}' >&2 &\nyes $'\\001broken'\n`);
  const id = runTests(program);
  await program.until("progress", () => program.notifications("notifications/progress").length > 1);
  await eventually("the family", () => others().length > 2);
  // Other calls are answered meanwhile.
  expect((await program.call("forge_get_project_info")).result?.["isError"]).toBeUndefined();
  program.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, reason: "enough" } });
  await eventually("the family's end", () => others().length === 0);
  await program.request("ping");
  expect(program.repliesTo(id)).toEqual([]);
  const told = program.notifications("notifications/progress").length;
  expect((await program.call("forge_get_tasks")).result?.["isError"]).toBeUndefined();
  expect(program.notifications("notifications/progress")).toHaveLength(told);
  expect(program.peakMemoryMiB()).toBeLessThan(300);
  expect(program.faults).toEqual([]);
});

test("tests that hang end at their deadline, with all that they started", async () => {
  const { program, others } = await startWith(`${stubborn}while :; do sleep 1; done\n`);
  const id = runTests(program, { timeout_seconds: 2 });
  await eventually("the family", () => others().length > 1);
  const { result } = await program.reply(id);
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("TIMEOUT") }] });
  await eventually("the family's end", () => others().length === 0);
  expect(program.faults).toEqual([]);
});

test("a server whose client goes away while tests run takes them along", async () => {
  const { program, others } = await startWith(`${stubborn}while :; do sleep 1; done\n`);
  runTests(program);
  await eventually("the family", () => others().length > 1);
  program.child.kill("SIGTERM");
  await program.exited;
  await eventually("the family's end", () => others().length === 0);
});
