import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fixtureServer } from "../harness/mcp/fixture-bundle.ts";

const start = fixtureServer();

const listRequest = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" })}\n`;

describe("what is not MCP is answered", () => {
  test("A01 malformed JSON is answered and the next request is served", async () => {
    const program = start();
    program.write(`{bad\n${listRequest(1)}`);
    const { result } = await program.reply(1);
    expect(result?.["tools"]).toBeInstanceOf(Array);
    expect(program.messages[0]).toEqual({ jsonrpc: "2.0", error: { code: -32700, message: expect.any(String) } });
    expect(program.stderr.trim().split("\n")).toHaveLength(1);
    expect(program.stderr).not.toContain("{bad");
  });

  test("a line that is not UTF-8 is refused, and nothing of it is stored as something else", async () => {
    const program = start();
    const call = { jsonrpc: "2.0", id: 5, method: "tools/call", params: { name: "echo", arguments: { text: "caf#" } } };
    program.write(Buffer.from(`${JSON.stringify(call).replace("#", "\xe9")}\n`, "latin1"));
    program.write(listRequest(6));
    await program.reply(6);
    expect(program.messages[0]).toMatchObject({
      id: 5,
      error: { code: -32700, message: expect.stringMatching(/UTF-8/) },
    });
  });

  test.each([
    ["an empty batch", "[]"],
    ["a batch", `[${listRequest(1).trim()},${listRequest(2).trim()}]`],
  ])("A03 %s is refused with one answer", async (_what, batch) => {
    const program = start();
    program.write(`${batch}\n${listRequest(9)}`);
    await program.reply(9);
    expect(program.messages).toHaveLength(2);
    expect(program.messages[0]?.error).toMatchObject({ code: -32600, message: expect.stringContaining("batch") });
  });

  test.each([
    ["null id", { jsonrpc: "2.0", id: null, method: "tools/list" }, undefined],
    ["fractional id", { jsonrpc: "2.0", id: 1.5, method: "tools/list" }, undefined],
    ["object id", { jsonrpc: "2.0", id: {}, method: "tools/list" }, undefined],
    ["huge id", { jsonrpc: "2.0", id: "x".repeat(10_000), method: "tools/list" }, undefined],
    ["no jsonrpc", { id: 7, method: "tools/list" }, 7],
    ["jsonrpc 1.0", { jsonrpc: "1.0", id: 7, method: "tools/list" }, 7],
    ["array params", { jsonrpc: "2.0", id: 7, method: "tools/list", params: [] }, 7],
    ["null params", { jsonrpc: "2.0", id: 7, method: "tools/list", params: null }, 7],
    ["number as method", { jsonrpc: "2.0", id: 7, method: 5 }, 7],
    ["neither method nor result", { jsonrpc: "2.0", id: 7 }, 7],
    ["a string", "tools/list", undefined],
    ["null", null, undefined],
  ])("A02 %s is refused with -32600", async (_what, message, id) => {
    const program = start();
    program.write(`${JSON.stringify(message)}\n${listRequest(8)}`);
    await program.reply(8);
    expect(program.messages).toHaveLength(2);
    expect(program.messages[0]?.error?.code).toBe(-32600);
    expect(program.messages[0]?.id).toBe(id);
  });

  test("blank lines and CRLF are no messages and no errors", async () => {
    const program = start();
    program.write(`\n\r\n  \n${listRequest(1).replace("\n", "\r\n")}`);
    await program.reply(1);
    expect(program.messages).toHaveLength(1);
  });
});

const metaKeys = ["protocolVersion", "clientCapabilities", "clientInfo", "related-task", "logLevel"].map(
  (key) => `io.modelcontextprotocol/${key}`,
);

/** A request and what may have happened to it on the way. */
const mutated = fc
  .record({
    drop: fc.subarray(["jsonrpc", "id", "method", "params"]),
    replace: fc.option(
      fc.record({ member: fc.constantFrom("jsonrpc", "id", "method", "params"), value: fc.jsonValue({ maxDepth: 2 }) }),
    ),
    add: fc.option(fc.tuple(fc.constantFrom("result", "error", "extra", "__proto__"), fc.jsonValue({ maxDepth: 1 }))),
    meta: fc.option(
      fc.oneof(
        fc.jsonValue({ maxDepth: 2 }),
        fc.dictionary(fc.constantFrom("progressToken", ...metaKeys), fc.jsonValue({ maxDepth: 1 })),
      ),
    ),
    method: fc.constantFrom("tools/list", "tools/call", "ping", "resources/read", "nonsense"),
  })
  .map(({ drop, replace, add, meta, method }) => {
    const params = meta === null ? {} : { _meta: meta };
    const message: Record<string, unknown> = { jsonrpc: "2.0", id: 1, method, params };
    if (replace) message[replace.member] = replace.value;
    if (add) Object.defineProperty(message, add[0], { value: add[1], enumerable: true });
    for (const member of drop) delete message[member];
    return message;
  });

const isId = (id: unknown) => typeof id === "string" || Number.isSafeInteger(id);

/** A client's own answer to us: it gets none. */
function isAnswer(message: Record<string, unknown>): boolean {
  if (message["jsonrpc"] !== "2.0" || "method" in message) return false;
  if ("error" in message && (message["id"] ?? null) === null) return true;
  return isId(message["id"]) && ("result" in message || "error" in message);
}

test("A02 any mutation of an envelope gets exactly one answer, or none where none is due", async () => {
  const program = start();
  await program.initialize();
  await fc.assert(
    fc.asyncProperty(mutated, async (mutation) => {
      const before = program.messages.length;
      // An id of the round's own keeps one message's answer from being taken for another's.
      const message = mutation["id"] === 1 ? { ...mutation, id: `m${before}` } : mutation;
      program.send(message);
      const ping = program.ask("ping");
      const due = () => program.messages.slice(before).filter(({ id }) => id !== ping);
      await program.reply(ping);
      if ("id" in message && !isAnswer(message)) {
        await program.until(`an answer to ${JSON.stringify(message)}`, () => due().length > 0);
        expect(due()).toHaveLength(1);
        expect(due()[0]?.id).toBe(isId(message["id"]) ? message["id"] : undefined);
      } else {
        // A notification may be refused, but then nobody is named; an answer of the client's is never answered.
        expect(due().length).toBeLessThanOrEqual(isAnswer(message) ? 0 : 1);
        expect(due()[0]?.id).toBeUndefined();
      }
    }),
    { numRuns: 300 },
  );
  expect(program.child.exitCode).toBeNull();
});

describe("A09 a message of 11 MiB", () => {
  const filling = "x".repeat(11 * 1_048_576);
  const call = { method: "tools/call", params: { name: "echo", arguments: { text: filling } } };

  test.each([
    ["id first", { jsonrpc: "2.0", id: 41, ...call }, 41],
    ["id alone first", { id: "a-1", jsonrpc: "2.0", ...call }, "a-1"],
    ["id last", { jsonrpc: "2.0", ...call, id: 42 }, 42],
    ["no id to be found", { jsonrpc: "2.0", method: "tools/call", id: 5, params: call.params }, undefined],
  ])("with its %s is refused under that id, and the next is served", async (_what, message, id) => {
    const program = start();
    program.write(`${JSON.stringify(message)}\n${listRequest(1)}`);
    await program.reply(1);
    const refusal = program.messages.find(({ error }) => error);
    expect(refusal).toEqual({
      jsonrpc: "2.0",
      ...(id !== undefined && { id }),
      error: { code: -32600, message: expect.stringMatching(/too large.*8 MiB/i) },
    });
    expect(program.stderr).toMatch(/too large/i);
  });

  test("without a newline at the end of input is refused, and the program ends", async () => {
    const program = start();
    program.write(JSON.stringify({ jsonrpc: "2.0", id: 1, ...call }));
    expect(await program.finish()).toEqual({ code: 0, signal: null });
    expect(program.messages).toMatchObject([{ id: 1, error: { code: -32600 } }]);
  });

  test("is never held whole in memory", async () => {
    const program = start();
    program.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"x":"`);
    for (let sent = 0; sent < 200; sent++) {
      if (!program.child.stdin?.write("y".repeat(1_048_576))) {
        await new Promise((resolve) => program.child.stdin?.once("drain", resolve));
      }
    }
    program.write(`"}}\n${listRequest(2)}`);
    await program.reply(2);
    expect(program.peakMemoryMiB()).toBeLessThan(220);
  });
});
