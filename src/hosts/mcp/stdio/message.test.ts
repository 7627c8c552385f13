import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readMessage } from "./message.ts";

const read = (value: unknown) => readMessage({ text: JSON.stringify(value) }, 8 * 1_048_576);
const call = { jsonrpc: "2.0", id: 1, method: "tools/call" };

describe("reading a message", () => {
  test.each([
    ["a request", call],
    ["a request with params", { ...call, params: { name: "x", _meta: { progressToken: "t", other: [1] } } }],
    ["a string id", { ...call, id: "a".repeat(256) }],
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }],
    ["an answer", { jsonrpc: "2.0", id: 1, result: {} }],
    ["an error", { jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } }],
    ["an error about what could not be read", { jsonrpc: "2.0", id: null, error: { code: 1, message: "no" } }],
  ])("%s is passed on as it is", (_what, message) => {
    expect(read(message)).toEqual({ message });
  });

  test.each([
    ["an id that is too long", { ...call, id: "a".repeat(257) }, /id must be/],
    ["an id beyond exact integers", { ...call, id: 2 ** 53 }, /id must be/],
    ["both a method and a result", { ...call, result: {} }, /only have the members/],
    ["_meta that is an array", { ...call, params: { _meta: [] } }, /_meta/],
    ["a progress token that is an object", { ...call, params: { _meta: { progressToken: {} } } }, /progressToken/],
    ["a task that is none", { ...call, params: { _meta: { "io.modelcontextprotocol/related-task": 1 } } }, /_meta/],
  ])("%s is refused", (_what, message, reason) => {
    expect(read(message)).toMatchObject({ malformed: { code: -32600, message: expect.stringMatching(reason) } });
  });

  test("a refusal never quotes what it refuses", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12, maxLength: 40 }), (secret) => {
        for (const value of [secret, { method: secret }, { ...call, id: { secret } }, { ...call, [secret]: 1 }]) {
          expect(JSON.stringify(read(value))).not.toContain(JSON.stringify(secret).slice(1, -1));
        }
      }),
    );
  });
});

describe("the id of a message too long to parse", () => {
  const idOf = (head: string, tail: string) => {
    const result = readMessage({ fault: "too-long", head, tail }, 8 * 1_048_576);
    return "malformed" in result ? result.malformed.id : undefined;
  };

  test.each([
    ["first", '{"id":7,"jsonrpc":"2.0",', "", 7],
    ["after jsonrpc", ' { "jsonrpc" : "2.0" , "id" : "a-b" , "method"', "", "a-b"],
    ["last", '{"jsonrpc":"2.0","method":"x"', ',"id":9}', 9],
    ["last, with blanks", "{", ', "id" : "z" } \r', "z"],
  ])("is found where it stands %s", (_where, head, tail, id) => {
    expect(idOf(head, tail)).toBe(id);
  });

  test.each([
    ["inside params", '{"jsonrpc":"2.0","params":{"id":7,', "}}"],
    ["inside a string", "{", ',\\"id\\":9}"}'],
    ["inside the last object", "{", ',"id":9}}'],
    ["of another kind", '{"id":null,', ""],
  ])("is not taken from %s", (_where, head, tail) => {
    expect(idOf(head, tail)).toBeUndefined();
  });
});
