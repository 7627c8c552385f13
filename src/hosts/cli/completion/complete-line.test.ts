import { expect, test } from "vitest";
import * as z from "zod";
import { run } from "../../../../test/harness/cli/cli.ts";
import { withRoom } from "../../../../test/harness/rooms/fixture-room.ts";
import type { App } from "../../../commons/cli/app.ts";
import { defineCommand, defineGroup } from "../../../kernel/definitions/command.ts";
import { definePrompt } from "../../../kernel/definitions/prompt.ts";
import { defineResource } from "../../../kernel/definitions/resource.ts";
import { defineTool } from "../../../kernel/definitions/tool.ts";

const makeThing = defineTool({
  name: "zz_make_thing",
  title: "Make a thing",
  description: "Make one.",
  effect: "add",
  input: z.object({
    title: z.string().describe("What is to be done"),
    priority: z.enum(["low", "high", "$(id)"]).optional(),
    kinds: z.array(z.enum(["bug", "idea"])).optional(),
    urgent: z.boolean().optional(),
    place: z.object({ file: z.string().optional() }).optional(),
  }),
  output: z.object({}),
  run: async () => ({}),
});

const hostilePrompt = definePrompt({
  name: "zz_prompt",
  title: "One\nTwo\tThree\u001b[31m",
  description: "",
  args: z.object({}),
  run: async () => [],
});

const things = defineResource({
  uri: "forge://zz/{id}",
  name: "zz",
  title: "A thing",
  description: "",
  mimeType: "text/plain",
  read: async () => ({ text: "" }),
});

const facts = { examples: [], settings: [], group: "more" } as const;
const done = async (_app: App) => 0;

const roomSet = await withRoom({
  tools: [makeThing],
  prompts: [hostilePrompt],
  resources: [things],
  commands: [
    defineGroup<App>({ ...facts, name: "zz", summary: "Work with things" }),
    defineCommand({
      ...facts,
      name: "zz find",
      aliases: ["zzfind", "zz ls"],
      summary: "Find things",
      options: { depth: { type: "number", help: "How deep." } },
      run: done,
    }),
    defineCommand({ ...facts, name: "zzlist", aliases: ["zz all"], summary: "List things", run: done }),
  ],
});

async function offered(line: string): Promise<string[]> {
  const { out, err, code } = await run(["__complete", "--", ...line.split(" ")], { roomSet });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out
    .trimEnd()
    .split("\n")
    .map((answer) => answer.split("\t", 1)[0] ?? "");
}

test.each([
  ["vers", ["version", ":words"]],
  ["--proj", ["--project", ":words"]],
  ["--log-level debug vers", ["version", ":words"]],
  ["--json --json", [":words"]],
  ["call zz_make_thing --i", ["--input", ":words"]],
  ["call --input x", [":files"]],
  ["call --input=x", [":files"]],
  ["mcp --project x", [":folders"]],
  ["completion z", ["zsh", ":words"]],
  ["completion --shell f", ["fish", ":words"]],
  ["completion --shell=f", ["--shell=fish", ":words"]],
  ["completion zsh ", [":words"]],
  ["help lo", ["log", "login", "logout", ":words"]],
  ["help sett", ["settings", ":words"]],
  ["help token ", ["create", "list", "revoke", ":words"]],
  ["call zz_", ["zz_make_thing", ":words"]],
  ["call zz_make_thing ", ["title=", "priority=", "kinds=", "urgent=", "place.file=", ":words"]],
  ["call zz_make_thing title=x kinds=bug p", ["priority=", "place.file=", ":words"]],
  ["call zz_make_thing title=x ki", ["kinds=", ":words"]],
  ["call zz_make_thing kinds=bug ki", ["kinds=", ":words"]],
  ["call zz_make_thing title:=1 ti", [":words"]],
  ["call zz_make_thing priority=", ["priority=low", "priority=high", ":words"]],
  ["call zz_make_thing priority=h", ["priority=high", ":words"]],
  ["call zz_make_thing urgent=t", ["urgent=true", ":words"]],
  ["call zz_make_thing kinds=bug,i", ["kinds=bug,idea", ":words"]],
  ["call --json zz_make_thing urgent=f", ["urgent=false", ":words"]],
  ["call nothing x", [":words"]],
  ["resource forge://zz", ["forge://zz/", ":words"]],
  ["mcp --toolsets fix", ["fixture", ":words"]],
  ["mcp --toolsets=tickets,fix", ["--toolsets=tickets,fixture", ":words"]],
  ["up --profile x", [":words"]],
  ["mcp --profile me", ["memory", ":words"]],
  ["log --tool zz", ["zz_make_thing", ":words"]],
  ["log --since x", [":words"]],
  ["frobnicate x", [":words"]],
  ["--nonsense x", [":words"]],
  ["-- lo", ["log", "login", "logout", ":words"]],
])("forge %s<Tab>", async (line, expected) => {
  expect(await offered(line)).toEqual(expected);
});

test("a group offers its commands, also those that are aliases there", async () => {
  expect(await offered("zz ")).toEqual(["find", "ls", "all", ":words"]);
  expect(await offered("zz f")).toEqual(["find", ":words"]);
  expect(await offered("token ")).toEqual(["create", "list", "revoke", ":words"]);
  expect(await offered("team c")).toEqual(["create", ":words"]);
});

test("aliases are not offered at the start, and complete like the command itself", async () => {
  expect(await offered("zzf")).toEqual([":words"]);
  for (const line of ["zz find", "zz ls", "zzfind"])
    expect(await offered(`${line} --d`)).toEqual(["--depth", ":words"]);
});

test("an empty line offers every command but those for programs", async () => {
  const all = await offered("");
  expect(all).toEqual(expect.arrayContaining(["up", "mcp", "call", "help", "token", ":words"]));
  expect(all).not.toContain("__complete");
  expect(all.filter((word) => word.includes(" "))).toEqual([]);
});

test("each candidate comes with what it means, on one line", async () => {
  const { out } = await run(["__complete", "--", "prompt", "zz"], { roomSet });
  expect(out).toBe("zz_prompt\tOne\\nTwo\\tThree\\x1b[31m\n:words\n");
});

test("what a shell would not take as a plain word is never offered", async () => {
  expect(await offered("call zz_make_thing priority=")).not.toContain("priority=$(id)");
});

test("for a program that asks with --json", async () => {
  const { out } = await run("--json __complete -- vers", { roomSet });
  expect(JSON.parse(out)).toEqual({
    candidates: [{ value: "version", help: "Print the version of Forge" }],
    next: "words",
  });
});
