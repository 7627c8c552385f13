import { expect, test } from "vitest";
import { CapturedStream } from "../../../../test/harness/cli/cli.ts";
import { WorkbenchCli } from "../../../../test/harness/rooms/workbench/workbench-cli.ts";
import type { App } from "../../../commons/cli/app.ts";

const hostile = "Fix \x1b]0;owned\x07\x1b[2J\r\nauth/evil\tcompleted\u202e it";

const patch = Buffer.from(`diff --git a/a b/a\n@@ -1 +1 @@\n+${hostile}\n`).toString("base64");

/** Fields that only have values of the program's own. */
const fixed = new Set(["status", "kind", "action", "dependencies_status"]);

function makeHostile(value: unknown, key = ""): unknown {
  if (key === "patch") return patch;
  if (fixed.has(key)) return value;
  if (typeof value === "string") return hostile;
  if (Array.isArray(value)) return value.length === 0 ? value : value.map((one) => makeHostile(one, key));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, makeHostile(one, name)]));
}

/** The program, with hostile text in everything that a tool returns or reports. */
const withHostileTools = (app: App): Partial<App> => ({
  tools: {
    ...app.tools,
    call: async (name, input, options) => {
      const report = options?.report && ((progress: object) => options.report?.(makeHostile(progress) as never));
      const result = await app.tools.call(name, input, { ...options, report } as typeof options);
      return makeHostile(result);
    },
  },
});

const tested = {
  "package.json": '{"type":"module","scripts":{"test":"node --test"}}\n',
  "a.test.js": 'import test from "node:test";\ntest("fails", () => { throw new Error("no"); });\n',
};

async function busyProject(): Promise<{ cli: WorkbenchCli; task: string; other: string; id: string }> {
  const cli = new WorkbenchCli(tested);
  await cli.do("trust --yes");
  await cli.do(["block", "create", "Auth", "--id", "auth", "--description", "What it is"]);
  const fields = ["--description", "x", "--criterion", "y", "--depends-on", "Nope", "--file", "a.test.js"];
  const other = await cli.do(["task", "create", "auth", "Two", ...fields]);
  const task = await cli.task();
  const id = await cli.do(["run", "start", task]);
  cli.put({ "b.txt": "1\n" });
  await cli.run("run test");
  return { cli, task, other, id };
}

function expectPlain(text: string): void {
  expect(text).not.toBe("");
  expect(text.replaceAll(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
}

test("C04 text of a task or an execution never reaches a terminal raw", { timeout: 60_000 }, async () => {
  const { cli, task, other, id } = await busyProject();
  const lines = [
    "task list",
    "task ready",
    `task show ${task}`,
    `task show ${task} --context`,
    `task edit ${task} --name New`,
    `task claim ${other} --worker ci`,
    "task create auth Other",
    "block list",
    "block show auth",
    "block create Second",
    "block import --dry-run",
    "run list",
    `run show ${id}`,
    "run diff --stat",
    "run test",
    `run start ${task}`,
    "run cancel",
    `run watch ${id}`,
  ];
  cli.put({ "blocks_config.json": await cli.do("block export") });
  for (const line of lines) {
    const { out, err } = await cli.run(line, { with: withHostileTools });
    expectPlain(out + err);
    expect([line, out + err]).toEqual([line, expect.stringContaining("\\x1b]0;owned")]);
  }
});

test("C04 not even in a diff on a terminal", async () => {
  const { cli } = await busyProject();
  const stdout = new CapturedStream({ isTTY: true, columns: 80 });
  await cli.run("run diff", { stdout, env: { NO_COLOR: "1" }, with: withHostileTools });
  expectPlain(stdout.text);
});
