import { describe, expect, test } from "vitest";
import { eventually } from "../../../../test/harness/cli/processes.ts";
import { openFront } from "../../../../test/harness/mcp/fixture-wires.ts";
import { type Json, stateless, type WireMessage } from "../../../../test/harness/mcp/wire.ts";
import { ForgeError } from "../../../kernel/errors.ts";

const call = (id: number, name: string, args: object = {}): WireMessage => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});
const cancel = (requestId: number): WireMessage => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});
const ping = (id: number): WireMessage => ({ jsonrpc: "2.0", id, method: "ping" });
const list = (id: number): WireMessage => ({ jsonrpc: "2.0", id, method: "tools/list" });

const idsOf = (messages: WireMessage[]) => messages.map(({ id }) => id);

describe("a connection", () => {
  test("serves sixteen requests at once; the next waits, a ping and a cancellation do not", async () => {
    const { send, received, records } = openFront();
    for (let id = 1; id <= 16; id++) send(call(id, "never_end"));
    send(call(17, "echo", { text: "x" }));
    send(ping(18));
    await eventually("the ping's answer", () => idsOf(received).includes(18));
    expect(idsOf(received)).toEqual([18]);
    send(cancel(5));
    await eventually("the one that waited", () => idsOf(received).includes(17));
    expect(idsOf(received)).toEqual([18, 17]);
    expect(records.map(({ name, outcome }) => `${name} ${outcome}`).sort()).toEqual(["echo ok", "never_end cancelled"]);
  });

  test("serves nobody while the client does not read, and goes on in order when it does", async () => {
    const { send, received, reader, input } = openFront();
    reader.isSlow = true;
    for (let id = 1; id <= 5; id++) send(list(id));
    await eventually("the first answer", () => received.length > 0);
    await eventually("the input to be left alone", () => input.isPaused());
    expect(idsOf(received)).toEqual([1]);
    reader.isSlow = false;
    reader.drained();
    await eventually("all answers", () => received.length === 5);
    expect(idsOf(received)).toEqual([1, 2, 3, 4, 5]);
    expect(input.isPaused()).toBe(false);
  });

  test("cuts calls off when the program ends, and the ledger says so", async () => {
    const { send, received, records, ending } = openFront();
    send(call(1, "never_end"));
    send(ping(2));
    await eventually("the call to be under way", () => received.length === 1);
    ending.abort();
    await eventually("the record", () => records.length === 1);
    expect(records).toMatchObject([{ name: "never_end", outcome: "cancelled", code: "CANCELLED" }]);
  });

  test.each([
    ["an older revision", (params: Json) => params],
    ["the stateless revision", stateless],
  ])("answers while nothing can be called, and serves once it can: %s", async (_name, said) => {
    let error: Error | undefined = new ForgeError("CONFIG_ERROR", "Not so.", { next: ["Like this."] });
    const { send, received, input, connection } = openFront(undefined, () => {
      if (error) throw error;
    });
    const ask = (id: number, method: string, params: Json) =>
      send({ jsonrpc: "2.0", id, method, params: said(params) });
    const echo = { name: "echo", arguments: { text: "x" } };
    const answer = (id: number) => received.find((message) => message.id === id);
    ask(1, "tools/list", {});
    for (let id = 2; id <= 40; id++) ask(id, "tools/call", echo);
    ask(41, "resources/read", { uri: "forge://counter" });
    await eventually("all answers", () => received.length === 41);
    expect(answer(40)?.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/CONFIG_ERROR.*Not so\..*Like this\./s) }],
    });
    expect(answer(41)?.error).toMatchObject({ code: -32603, message: "Not so.", data: { code: "CONFIG_ERROR" } });
    error = new Error("a stranger's secret");
    ask(42, "tools/call", echo);
    await eventually("an answer", () => received.length === 42);
    expect(JSON.stringify(answer(42))).toContain("INTERNAL_ERROR");
    expect(JSON.stringify(answer(42))).not.toContain("secret");
    error = undefined;
    ask(43, "tools/call", echo);
    input.end();
    await connection.ended;
    expect(received).toHaveLength(43);
    const served = answer(43)?.result;
    expect(served?.["isError"]).toBeUndefined();
    const { content: _given, isError: _is, ...frame } = answer(42)?.result ?? {};
    const { content: _made, structuredContent: _as, ...likewise } = served ?? {};
    expect(frame, "as the SDK frames it").toEqual(likewise);
  });

  test("ends when the input ends, after the answers that are due", async () => {
    const { send, received, input, connection } = openFront();
    send(call(1, "echo", { text: "x" }));
    send(list(2));
    input.end();
    await connection.ended;
    expect(idsOf(received).sort()).toEqual([1, 2]);
  });

  test("waits a while for a call that does not answer, but not for a subscription, which never will", async () => {
    const [calling, listening] = [openFront(), openFront()];
    calling.send(call(1, "never_end"));
    calling.send(ping(2));
    listening.send({
      jsonrpc: "2.0",
      id: 1,
      method: "subscriptions/listen",
      params: stateless({ notifications: { resourceSubscriptions: ["forge://counter"] } }),
    });
    for (const { received } of [calling, listening]) await eventually("an answer", () => received.length === 1);
    const ends: string[] = [];
    for (const [name, { input, connection }] of Object.entries({ calling, listening })) {
      input.end();
      void connection.ended.then(() => ends.push(name));
    }
    await eventually("both to end", () => ends.length === 2);
    expect(ends).toEqual(["listening", "calling"]);
  });
});
