import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectToProject } from "../harness/mcp/project-client.ts";
import { ProofProject, rightSum } from "../harness/rooms/proof/proof-project.ts";

const wrongSum = "export const sum = (a, b) => a - b;\n";

/** A test that waits before it loads the code, and again before it ends, until it is told to go on. */
const slowTest = [
  'import assert from "node:assert/strict";',
  'import { existsSync, writeFileSync } from "node:fs";',
  'import test from "node:test";',
  "const wait = async (name) => {",
  "  const [reached, go] = [process.env.MARKS + name, process.env.MARKS + name + `.go`];",
  '  writeFileSync(reached, "");',
  "  while (!existsSync(go)) await new Promise((done) => setTimeout(done, 20));",
  "};",
  'test("adds", async () => {',
  '  await wait("/before");',
  '  const { sum } = await import("../src/sum.js");',
  '  await wait("/after");',
  "  assert.equal(sum(2, 2), 4);",
  "});",
  "",
].join("\n");

/** A project whose tests fail, with an execution of a task in its folder, and an assistant that works on it. */
async function open() {
  const project = await ProofProject.open({ "test/sum.test.js": slowTest, "Forge/invariants.json": "{}" });
  const marks = project.home;
  process.env["MARKS"] = marks;
  const id = await project.ticket("All tests pass");
  await project.do(["check", "add", id, "AC-1", "--invariant", "backend_test_failures"]);
  const call = await connectToProject(project);
  const ok = async (name: string, args: Record<string, unknown>) => {
    const { isError, value } = await call(name, args);
    expect([isError, value]).toEqual([false, expect.anything()]);
    return value;
  };
  const write = (content: string) => ok("forge_write_file", { file_path: "src/sum.js", content });
  const go = (name: string) => writeFileSync(join(marks, `${name}.go`), "");
  const reached = (name: string) => expect.poll(() => existsSync(join(marks, name)), { timeout: 20_000 }).toBe(true);
  return { project, id, ok, write, go, reached };
}

test("F08 what is written while tests run, and put back before they end, was not tested", async () => {
  const { project, id, ok, write, go, reached } = await open();
  const options = { run_tests: true };
  await ok("forge_execute_task", { block_id: "tickets", task_id: id, options });
  await ok("forge_write_file", { file_path: "README.md", content: "Done.\n" });
  const running = ok("forge_run_tests", {});
  await reached("before");
  await write(rightSum);
  go("before");
  await reached("after");
  await write(wrongSum);
  go("after");
  await running;
  // Neither for the merge, which runs them again, nor for a rule that proves a criterion.
  expect(await ok("forge_commit_changes", { message: "Fix" })).toMatchObject({ branch_merged: false });
  await ok("forge_verify_ticket", { ticketId: id });
  expect(JSON.stringify(await project.json(["proof", id]))).not.toContain("backend_test_failures holds");
});
