import { expect, test } from "vitest";
import { WorkbenchCli } from "../../../../test/harness/rooms/workbench/workbench-cli.ts";

/** After Tab: the values that are offered, with the names of this project's task and execution. */
async function offeredAfter(cli: WorkbenchCli, words: string[]): Promise<string[]> {
  const { candidates } = JSON.parse(await cli.do(["__complete", "--json", "--", ...words]));
  return candidates.map(({ value }: { value: string }) => value);
}

test("the words behind a word", async () => {
  const cli = new WorkbenchCli();
  expect(await offeredAfter(cli, ["task", ""])).toEqual("list ready show create edit claim release".split(" "));
  expect(await offeredAfter(cli, ["task", "re"])).toEqual(["ready", "release"]);
  expect(await offeredAfter(cli, ["help", "run", "st"])).toEqual(["start"]);
  expect(await offeredAfter(cli, ["task", "nothing", ""])).toEqual([]);
});

test("blocks, tasks, executions and statuses", async () => {
  const cli = new WorkbenchCli();
  const task = await cli.task();
  const [, id = ""] = task.split("/");
  const execution = await cli.do(["run", "start", task]);
  expect(await offeredAfter(cli, ["task", "show", ""])).toEqual([task]);
  expect(await offeredAfter(cli, ["task", "show", "auth", ""])).toEqual([id]);
  expect(await offeredAfter(cli, ["task", "show", task, ""])).toEqual([]);
  expect(await offeredAfter(cli, ["task", "list", "--block", ""])).toEqual(["auth", "Auth"]);
  expect(await offeredAfter(cli, ["task", "list", "--status", "pending,f"])).toEqual(["pending,failed"]);
  expect(await offeredAfter(cli, ["task", "list", "--status=p"])).toEqual(["--status=pending"]);
  expect(await offeredAfter(cli, ["task", "create", ""])).toEqual(["auth", "Auth"]);
  expect(await offeredAfter(cli, ["task", "create", "Auth", "x", "--depends-on", "auth/"])).toEqual([task]);
  expect(await offeredAfter(cli, ["run", "show", ""])).toEqual([execution]);
  expect(await offeredAfter(cli, ["run", "test", "--type", "u"])).toEqual(["unit"]);
  expect(await offeredAfter(cli, ["run", "start", "--isolation", ""])).toEqual(["none", "worktree"]);
});
