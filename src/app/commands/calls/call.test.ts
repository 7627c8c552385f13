import { describe, expect, test } from "vitest";
import { CapturedStream, MemoryApp, run } from "../../../../test/harness/cli.ts";
import { ForgeError } from "../../../kernel/errors.ts";

const createTicket = {
  description: "Make a ticket.\nCall it when work is found.",
  inputSchema: {
    type: "object",
    properties: {
      title: { type: "string", description: "What is to be done" },
      priority: { type: "string", enum: ["low", "high"], default: "low" },
      tags: { type: "array", items: { type: "string" } },
      place: { type: "object", properties: { file: { type: "string" } }, additionalProperties: false },
    },
    required: ["title"],
    additionalProperties: false,
  },
};

function appWith(): MemoryApp {
  const app = new MemoryApp();
  app.schemas["create_ticket"] = createTicket;
  return app;
}

describe("call", () => {
  test("without a tool it lists them by toolset", async () => {
    const { out, code } = await run("call", { app: appWith() });
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "Tickets (tickets):
        get_repository_context  Title of get_repository_context
        create_ticket           Title of create_ticket

      Run \`forge call TOOL --help\` to see a tool's arguments.
      "
    `);
    expect(JSON.parse((await run("call --json", { app: appWith() })).out)).toMatchObject([
      { toolset: "tickets", tools: [{ name: "get_repository_context" }, { name: "create_ticket" }] },
    ]);
  });

  test("a tool's help comes from its schema", async () => {
    const { out, code } = await run("call create_ticket --help", { app: appWith() });
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "Title of create_ticket.

      Usage: forge call create_ticket title=TEXT [priority=low|high] [tags=TEXT,...]
                                      [place:=JSON]

      Make a ticket.

      Call it when work is found.

      It only looks, and changes nothing.

      Arguments:
        title     What is to be done. Text, required.
        priority  Low or high. Default: "low".
        tags      A list, each of it text.
        place     An object.

      How they are written:
        KEY=VALUE        Read as the argument's type: text, a number, true or false.
        KEY=A,B          A list; the key may also be given several times.
        KEY.INNER=VALUE  A part of an object.
        KEY:=JSON        Any value, as JSON: options:='{"x":1}', tags:='["a,b"]',
                         note:=null.
        --input FILE     All arguments as one JSON object; - reads standard input.

      Examples:
        forge call create_ticket title=TEXT
            The result is printed as JSON.
      "
    `);
    expect((await run("--help call create_ticket", { app: appWith() })).out).toBe(out);
    expect(JSON.parse((await run("call create_ticket --help --json", { app: appWith() })).out)).toMatchObject(
      createTicket,
    );
  });

  test("arguments reach the tool as its schema has them", async () => {
    const app = appWith();
    const words = ["call", "create_ticket", "title=Fix it", "tags=a,b", "place.file=x.ts", "priority=high"];
    expect(await run(words, { app })).toMatchObject({ code: 0, out: "{}\n", err: "" });
    expect(app.calls).toEqual([
      ["callTool", "create_ticket", { title: "Fix it", tags: ["a", "b"], place: { file: "x.ts" }, priority: "high" }],
    ]);
  });

  test("--input has all arguments, and words win", async () => {
    const app = appWith();
    app.input = '{"title":"from the file","tags":["a"]}';
    await run("call create_ticket --input - title=mine", { app });
    expect(app.calls).toEqual([
      ["readInput", "-"],
      ["callTool", "create_ticket", { title: "mine", tags: ["a"] }],
    ]);
    app.input = "[]";
    expect((await run("call create_ticket --input x.json", { app })).err).toContain("file x.json cannot be used");
  });

  test("the result is one line on a pipe and indented on a terminal", async () => {
    const app = appWith();
    app.answer = () => ({ id: "T-1", odd: "\u202e\u001b[31m" });
    const stdout = new CapturedStream({ isTTY: true });
    expect((await run("call create_ticket title=x", { app })).out).toBe('{"id":"T-1","odd":"\\u202e\\u001b[31m"}\n');
    await run("call create_ticket title=x", { app, stdout });
    expect(stdout.text).toBe('{\n  "id": "T-1",\n  "odd": "\\u202e\\u001b[31m"\n}\n');
  });

  test.each([
    ["call create_tiket title=x", "There is no tool named create_tiket.", "Did you mean `create_ticket`?"],
    ["call create_tiket --help", "There is no tool named create_tiket.", "Did you mean `create_ticket`?"],
    ["call create_ticket", "create_ticket needs title (What is to be done).", "forge call create_ticket title=TEXT"],
    ["call create_ticket --tags a", 'Unknown option "--tags" for `forge call`.', "forge call --help"],
  ])("forge %s is refused", async (line, message, suggestion) => {
    const app = appWith();
    const { code, out, err } = await run(line, { app });
    expect({ code, out, calls: app.calls }).toEqual({ code: 1, out: "", calls: [] });
    expect(err).toContain(message);
    expect(err).toContain(suggestion);
    expect(JSON.parse((await run(`${line} --json`, { app })).out)).toMatchObject({ error: true });
  });

  test("a tool's own error is shown as every command's is", async () => {
    const app = appWith();
    app.answer = () => {
      throw new ForgeError("STORE_ERROR", "The disk is full.", { next: ["Free some space."] });
    };
    expect(await run("call create_ticket title=x", { app })).toMatchObject({
      code: 2,
      out: "",
      err: "error: The disk is full.\n  Free some space.\n",
    });
  });

  test("progress is one passing line on a terminal, and nothing on a pipe", async () => {
    const app = appWith();
    app.answer = (_name, _input, report) => {
      report?.({ progress: 1, total: 4, message: "read\u001b[2J\ning" });
      report?.({ progress: 3, total: 4 });
      report?.({ progress: 7, message: "x".repeat(300) });
      return {};
    };
    const stderr = new CapturedStream({ isTTY: true, columns: 60 });
    await run("call create_ticket title=x", { app, stderr });
    const lines = stderr.text.split("\r\x1b[K");
    expect(lines.slice(0, 3)).toEqual([
      "",
      "[=====               ] 25% read\\x1b[2J\\ning",
      "[===============     ] 75%",
    ]);
    expect(lines[3]).toHaveLength(59);
    expect(lines.slice(4)).toEqual([""]);
    expect((await run("call create_ticket title=x", { app })).err).toBe("");
    const dumb = new CapturedStream({ isTTY: true });
    await run("call create_ticket title=x", { app, stderr: dumb, env: { TERM: "dumb" } });
    expect(dumb.text).toBe("");
  });
});

describe("prompt", () => {
  function withPrompts(): MemoryApp {
    const app = new MemoryApp();
    const args = [
      { name: "ticket", description: "Its id", required: true },
      { name: "tone", required: false },
    ];
    app.prompts = [{ name: "review", title: "Review a ticket", description: "Ask good questions.", arguments: args }];
    app.messages = [
      { role: "user", content: { type: "text", text: "Look at \u001b[31mT-1" } },
      { role: "user", content: { type: "resource", resource: { uri: "forge://x", text: "its text" } } },
      { role: "assistant", content: { type: "image", data: "AAAA", mimeType: "image/png" } },
    ];
    return app;
  }

  test("the list, and help of one", async () => {
    expect((await run("prompt", { app: withPrompts() })).out).toContain("  review  Review a ticket\n");
    expect((await run("prompt")).out).toBe("This version of Forge has no prompts yet.\n");
    const { out } = await run("prompt review --help", { app: withPrompts() });
    expect(out).toContain("Usage: forge prompt review ticket=TEXT [tone=TEXT]");
    expect(out).toContain("ticket  Its id");
  });

  test("the texts are printed, and everything with --json", async () => {
    const app = withPrompts();
    expect(await run("prompt review ticket=T-1", { app })).toMatchObject({
      code: 0,
      out: "Look at \\x1b[31mT-1\n\nits text\n\n[image, image/png; whole with --json]\n",
    });
    expect(app.calls).toEqual([["getPrompt", "review", { ticket: "T-1" }]]);
    expect(JSON.parse((await run("prompt review ticket=5 --json", { app })).out)).toEqual({ messages: app.messages });
  });

  test.each([
    ["prompt reveiw", "There is no prompt", "Did you mean `review`?"],
    ["prompt review", "review needs ticket (Its id).", "ticket=TEXT"],
    ["prompt review tiket=1", 'review has no argument "tiket"', "Did you mean `ticket`?"],
  ])("forge %s is refused", async (line, message, suggestion) => {
    const { code, err } = await run(line, { app: withPrompts() });
    expect(code).toBe(1);
    expect(err).toContain(message);
    expect(err).toContain(suggestion);
  });
});

describe("resource", () => {
  function withResources(): MemoryApp {
    const app = new MemoryApp();
    const facts = { name: "a", title: "Recent activity", description: "What was done.", mimeType: "text/plain" };
    app.resources = [{ ...facts, uri: "forge://activity" }];
    app.resourceTemplates = [{ ...facts, title: "A ticket", uriTemplate: "forge://tickets/{id}" }];
    return app;
  }

  test("the list", async () => {
    const { out } = await run("resource", { app: withResources() });
    expect(out).toContain("forge://activity      Recent activity");
    expect(out).toContain("forge://tickets/{id}  A ticket");
  });

  test("text as it is, anything else as base64 with a word about it", async () => {
    const app = withResources();
    app.content = { text: "one\ntwo", mimeType: "text/plain" };
    expect(await run("resource forge://activity", { app })).toMatchObject({ code: 0, out: "one\ntwo\n", err: "" });
    app.content = { blob: "AAAA", mimeType: "image/png" };
    const { out, err } = await run("resource forge://activity", { app });
    expect({ out, err }).toEqual({ out: "AAAA\n", err: "This is image/png, printed as base64.\n" });
    expect(JSON.parse((await run("resource forge://activity --json", { app })).out)).toEqual({
      uri: "forge://activity",
      mimeType: "image/png",
      blob: "AAAA",
    });
  });
});
