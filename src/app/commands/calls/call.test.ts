import { describe, expect, test } from "vitest";
import * as z from "zod";
import { CapturedStream, CliProject, type RunOptions, run } from "../../../../test/harness/cli/cli.ts";
import { onlyRoom } from "../../../../test/harness/rooms/fixture-room.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import { definePrompt } from "../../../kernel/definitions/prompt.ts";
import { defineResource } from "../../../kernel/definitions/resource.ts";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { ForgeError } from "../../../kernel/errors.ts";

/** What the tool does once it is called; by default it answers with its input. */
let act: (call: Call) => void = () => undefined;

const makeThing = defineTool({
  name: "make_thing",
  title: "Make a thing",
  description: "Make a thing.\nCall it when work is found.",
  effect: "read",
  input: z.object({
    title: z.string().max(100).describe("What is to be done"),
    priority: z.enum(["low", "high"]).default("low"),
    tags: z.array(z.string().max(10)).max(9).optional(),
    place: z.object({ file: z.string().max(100).optional() }).optional(),
  }),
  output: z.record(z.string().max(100), z.unknown()),
  async run(_services: unknown, input, call) {
    act(call);
    return { ...input, odd: "\u202e\u001b[31m" };
  },
});

const other = defineTool({
  name: "other_thing",
  title: "Another thing",
  description: "Make another.",
  effect: "read",
  input: z.object({}),
  output: z.object({ odd: z.string().max(100) }),
  run: async (_services: unknown) => ({ odd: "\u202e\u001b[31m" }),
});

const review = definePrompt({
  name: "review",
  title: "Review a thing",
  description: "Ask good questions.",
  args: z.object({ ticket: z.string().max(100).describe("Its id"), tone: z.string().max(100).optional() }),
  run: async (_services: unknown, { ticket }) => [
    { role: "user", content: { type: "text", text: `Look at \u001b[31m${ticket}` } },
    { role: "user", content: { type: "resource", resource: { uri: "forge://x", text: "its text" } } },
    { role: "assistant", content: { type: "image", data: "AAAA", mimeType: "image/png" } },
  ],
});

const facts = { name: "a", description: "What was done.", mimeType: "text/plain" };
const resources = [
  defineResource({ ...facts, uri: "forge://lines", title: "Two lines", read: async () => ({ text: "one\ntwo" }) }),
  defineResource({
    ...{ ...facts, name: "b", mimeType: "image/png" },
    uri: "forge://image",
    title: "An image",
    read: async () => ({ blob: "AAAA" }),
  }),
  defineResource({
    ...{ ...facts, name: "c" },
    uri: "forge://things/{id}",
    title: "A thing",
    read: async (_services, { id = "" }) => ({ text: `thing ${id}` }),
  }),
];

const roomSet = await onlyRoom({ tools: [makeThing, other], prompts: [review], resources, services: {} });

function forge(line: string | string[], options: RunOptions = {}) {
  act = () => undefined;
  return run(line, { roomSet, ...options });
}

describe("call", () => {
  test("without a tool it lists them by toolset", async () => {
    const { out, code } = await forge("call");
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "Fixture (fixture):
        make_thing   Make a thing
        other_thing  Another thing

      Run \`forge call TOOL --help\` to see a tool's arguments.
      "
    `);
    expect(JSON.parse((await forge("call --json")).out)).toMatchObject([
      { toolset: "fixture", tools: [{ name: "make_thing" }, { name: "other_thing" }] },
    ]);
  });

  test("a tool's help comes from its schema", async () => {
    const { out, code } = await forge("call make_thing --help");
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "Make a thing.

      Usage: forge call make_thing title=TEXT [priority=low|high] [tags=TEXT,...]
                                   [place:=JSON]

      Make a thing.

      Call it when work is found.

      This tool only reads.

      Arguments:
        title     What is to be done. Text, required.
        priority  Low or high. Default: "low".
        tags      A list, each item text.
        place     An object.

      How to write arguments:
        KEY=VALUE        Read as the argument's type: text, a number, true or false.
        KEY=A,B          A list; the key may also be given several times.
        KEY.INNER=VALUE  A part of an object.
        KEY:=JSON        Any value, as JSON: options:='{"x":1}', tags:='["a,b"]',
                         note:=null.
        --input FILE     All arguments as one JSON object; - reads standard input.

      Examples:
        forge call make_thing title=TEXT
            The result is printed as JSON.
      "
    `);
    expect((await forge("--help call make_thing")).out).toBe(out);
    expect((await forge("call make_thing --help --json")).json()).toMatchObject({
      name: "make_thing",
      inputSchema: { required: ["title"] },
    });
  });

  test("arguments reach the tool as its schema has them, and leave an entry in the ledger", async () => {
    const project = new CliProject();
    const words = ["call", "make_thing", "title=Fix it", "tags=a,b", "place.file=x.ts", "priority=high"];
    const { code, out, err } = await project.run(words, { roomSet });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toMatchObject({
      title: "Fix it",
      tags: ["a", "b"],
      place: { file: "x.ts" },
      priority: "high",
    });
    expect(JSON.parse((await project.run("log --json")).out)).toMatchObject([{ kind: "tool", name: "make_thing" }]);
  });

  test("--input has all arguments, and words win", async () => {
    const project = new CliProject({ "in.json": '{"title":"from the file","tags":["a"]}', "list.json": "[]" });
    const { out } = await project.run(`call make_thing --input ${project.root}/in.json title=mine`, { roomSet });
    expect(JSON.parse(out)).toMatchObject({ title: "mine", tags: ["a"] });
    const { err } = await project.run(`call make_thing --input ${project.root}/list.json`, { roomSet });
    expect(err).toContain("list.json cannot be used: it is not a JSON object.");
  });

  test("the result is one line on a pipe and indented on a terminal", async () => {
    const stdout = new CapturedStream({ isTTY: true });
    expect((await forge("call other_thing")).out).toBe('{"odd":"\\u202e\\u001b[31m"}\n');
    await forge("call other_thing", { stdout });
    expect(stdout.text).toBe('{\n  "odd": "\\u202e\\u001b[31m"\n}\n');
  });

  test.each([
    ["call make_thng title=x", 'There is no tool named "make_thng".', "Did you mean `make_thing`?"],
    ["call make_thng --help", 'There is no tool named "make_thng".', "Did you mean `make_thing`?"],
    ["call make_thing", "make_thing needs title (What is to be done).", "forge call make_thing title=TEXT"],
    ["call make_thing --tags a", 'Unknown option "--tags" for `forge call`.', "forge call --help"],
  ])("forge %s is refused", async (line, message, suggestion) => {
    const { code, out, err } = await forge(line);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(message);
    expect(err).toContain(suggestion);
    expect((await forge(`${line} --json`)).json()).toMatchObject({ error: true });
  });

  test("a tool's own error is shown as every command's is", async () => {
    const failing = () => {
      throw new ForgeError("STORE_ERROR", "The disk is full.", { next: ["Free some space."] });
    };
    const running = forge("call make_thing title=x");
    act = failing;
    expect(await running).toMatchObject({
      code: 2,
      out: "",
      err: "error: The disk is full.\n  Free some space.\n",
    });
  });

  test("progress is one passing line on a terminal, and nothing on a pipe", async () => {
    const reporting = (call: Call) => {
      call.report({ progress: 1, total: 4, message: "read\u001b[2J\ning" });
      call.report({ progress: 3, total: 4 });
      call.report({ progress: 7, message: "x".repeat(300) });
    };
    const ranWith = async (options: RunOptions) => {
      const running = forge("call make_thing title=x", options);
      act = reporting;
      return running;
    };
    const stderr = new CapturedStream({ isTTY: true, columns: 60 });
    await ranWith({ stderr });
    const lines = stderr.text.split("\r\x1b[K");
    expect(lines.slice(0, 3)).toEqual([
      "",
      "[=====               ] 25% read\\x1b[2J\\ning",
      "[===============     ] 75%",
    ]);
    expect(lines[3]).toHaveLength(59);
    expect(lines.slice(4)).toEqual([""]);
    expect((await ranWith({})).err).toBe("");
    const dumb = new CapturedStream({ isTTY: true });
    await ranWith({ stderr: dumb, term: "dumb" });
    expect(dumb.text).toBe("");
  });
});

describe("prompt", () => {
  test("the list, and help of one", async () => {
    expect((await forge("prompt")).out).toContain("  review  Review a thing\n");
    const none = await onlyRoom({ services: {} });
    expect((await run("prompt", { roomSet: none })).out).toBe("There are no prompts.\n");
    const { out } = await forge("prompt review --help");
    expect(out).toContain("Usage: forge prompt review ticket=TEXT [tone=TEXT]");
    expect(out).toContain("ticket  Its id");
  });

  test("the texts are printed, and everything with --json", async () => {
    expect(await forge("prompt review ticket=T-1")).toMatchObject({
      code: 0,
      out: "Look at \\u{1b}[31mT-1\n\nits text\n\n[image, image/png; see --json for all of it]\n",
    });
    const { messages } = (await forge("prompt review ticket=5 --json")).json() as { messages: unknown[] };
    expect(messages).toHaveLength(3);
    expect(messages[2]).toEqual({ role: "assistant", content: { type: "image", data: "AAAA", mimeType: "image/png" } });
  });

  test.each([
    ["prompt reveiw", "There is no prompt", "Did you mean `review`?"],
    ["prompt reveiw", "There is no prompt", "Run `forge prompt` to see all prompts."],
    ["prompt review", "review needs ticket (Its id).", "For example: forge prompt review ticket=TEXT"],
    ["prompt review", "review needs ticket (Its id).", "Run `forge prompt review --help` to see its arguments."],
    ["prompt review tiket=1", 'review has no argument "tiket"', "Did you mean `ticket`?"],
  ])("forge %s is refused", async (line, message, suggestion) => {
    const { code, err } = await forge(line);
    expect(code).toBe(1);
    expect(err).toContain(message);
    expect(err).toContain(suggestion);
  });
});

describe("resource", () => {
  test("the list", async () => {
    const { out } = await forge("resource");
    expect(out).toContain("forge://lines        Two lines");
    expect(out).toContain("forge://things/{id}  A thing");
  });

  test("text is printed as it is, anything else as base64 with a note", async () => {
    expect(await forge("resource forge://lines")).toMatchObject({ code: 0, out: "one\ntwo\n", err: "" });
    expect((await forge("resource forge://things/7")).out).toBe("thing 7\n");
    const { out, err } = await forge("resource forge://image");
    expect({ out, err }).toEqual({ out: "AAAA\n", err: "This is image/png, printed as base64.\n" });
    expect((await forge("resource forge://image --json")).json()).toEqual({
      uri: "forge://image",
      mimeType: "image/png",
      blob: "AAAA",
    });
    expect((await forge("resource forge://line")).err).toContain("Did you mean `forge://lines`");
  });
});
