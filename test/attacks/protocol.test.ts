import { expect, test } from "vitest";
import { RejectionLog } from "../../src/hosts/mcp/stdio/rejection-log.ts";
import { eventually } from "../harness/cli/processes.ts";
import { makeHttp } from "../harness/http/fixture-http.ts";
import { openFront } from "../harness/mcp/fixture-wires.ts";
import type { WireMessage } from "../harness/mcp/wire.ts";

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "harness", version: "1" } },
} as WireMessage;

/** What came for these requests, and everything else. */
async function exchange(lines: (string | Buffer)[], id: number) {
  const front = openFront();
  front.send(initialize);
  for (const line of lines) front.input.write(Buffer.concat([Buffer.from(line), Buffer.from("\n")]));
  front.send({ jsonrpc: "2.0", id, method: "tools/list", params: {} } as WireMessage);
  await eventually("the last answer", () => front.received.some((message) => message.id === id));
  front.ending.abort();
  return front.received.filter((message) => message.id !== 1 && message.id !== id);
}

const request = (id: number, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const nested = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);

test("A limits on depth hold for every method, and the connection goes on", async () => {
  for (const method of ["resources/read", "completion/complete", "logging/setLevel", "prompts/get", "x/y"]) {
    const [answer] = await exchange([request(7, method, { deep: nested(1_000) })], 9);
    expect(answer, method).toMatchObject({
      id: 7,
      error: { code: -32600, message: expect.stringContaining("deeper") },
    });
  }
});

test("A an error never repeats more than 1 kB of what was sent", async () => {
  const long = "x".repeat(2_000_000);
  const answers = await exchange(
    [
      request(2, "resources/read", { uri: `forge://${long}` }),
      request(3, "tools/call", { name: long, arguments: {} }),
      request(4, long),
      request(5, "prompts/get", { name: long }),
      request(6, "tools/call", { name: "x", arguments: {}, _meta: { progressToken: long } }),
    ],
    9,
  );
  expect(answers).toHaveLength(5);
  expect(answers.at(-1)).toMatchObject({ id: 6, error: { message: expect.stringContaining("progressToken") } });
  for (const answer of answers) expect(JSON.stringify(answer).length).toBeLessThan(4_096);
});

test("B what is not UTF-8 is a parse error", async () => {
  const bytes = Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","id":5,"method":"'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('"}'),
  ]);
  expect(await exchange([bytes], 9)).toEqual([
    { jsonrpc: "2.0", id: 5, error: { code: -32700, message: expect.stringContaining("UTF-8") } },
  ]);
});

test("A a notification is never answered, whatever is wrong with it", async () => {
  const lines = [
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/x", params: [1] }),
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/y", params: { _meta: 3 } }),
    JSON.stringify({ jsonrpc: "2.0", method: "tools/call", params: { name: "nothing", arguments: {} } }),
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/z", params: { deep: nested(500) } }),
  ];
  expect(await exchange(lines, 9)).toEqual([]);
});

test("A a request id that is in flight is refused, and the first request is answered once", async () => {
  const same = request(7, "tools/call", { name: "nothing", arguments: {} });
  const front = openFront();
  front.send(initialize);
  front.input.write(`${same}\n${same}\n`);
  await eventually("the answer", () => front.received.some(({ id }) => id === 7));
  expect(front.received.filter(({ id }) => id === 7)).toHaveLength(1);
  expect(front.received.filter(({ error }) => error?.message.includes("with this id"))).toHaveLength(1);
  front.ending.abort();
});

test("B a flood of malformed lines is logged once a second at most", () => {
  const logged: string[] = [];
  let now = 0;
  const log = new RejectionLog(
    (text) => void logged.push(text),
    () => now,
  );
  for (let count = 0; count < 1_000; count++) log.note("bad");
  now = 1_000;
  log.note("bad");
  expect(logged).toEqual(["rejected a message: bad", "rejected a message: bad (999 more since the last line)"]);
});

/** One session over HTTP; the text of each answer. */
async function openHttp() {
  const { app } = makeHttp();
  const headers: Record<string, string> = {
    host: "localhost",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const post = (body: string | Uint8Array, more: Record<string, string> = {}) =>
    app.request("/mcp", { method: "POST", headers: { ...headers, ...more }, body });
  const opened = await post(JSON.stringify(initialize));
  const session = opened.headers.get("mcp-session-id") ?? "";
  await opened.text();
  return { post: (body: string | Uint8Array) => post(body, { "mcp-session-id": session }), stateless: post };
}

test("A over HTTP too: depth, length, encoding and ids in flight", async () => {
  const { post, stateless } = await openHttp();
  for (const send of [post, stateless]) {
    const deep = await send(request(7, "x/y", { deep: nested(1_000) }));
    expect([deep.status, await deep.json()]).toMatchObject([400, { id: 7, error: { code: -32600 } }]);
    for (const body of [
      request(2, "resources/read", { uri: `forge://${"x".repeat(2_000_000)}` }),
      request(3, "resources/read", { uri: `forge://${"x".repeat(4_000)}` }),
      request(4, "y".repeat(200_000)),
    ])
      expect((await (await send(body)).text()).length).toBeLessThan(4_096);
    const bytes = await send(Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":5,"x":"'), Buffer.from([0xff, 0x22])]));
    expect(await bytes.json()).toMatchObject({ error: { code: -32700 } });
  }
  const wait = (id: number) =>
    post(request(id, "tools/call", { name: "progress", arguments: { steps: [1, 2, 3, 4, 5], gapMs: 200 } }));
  const first = await wait(11);
  const second = await wait(11);
  expect([second.status, await second.json()]).toMatchObject([
    400,
    { error: { code: -32600, message: expect.stringContaining("still being served") } },
  ]);
  expect(await first.text()).toContain('"id":11');
  expect((await wait(11)).status).toBe(200);
  const notified = await post(JSON.stringify({ jsonrpc: "2.0", method: "notifications/nonsense", params: 5 }));
  expect(await notified.text()).not.toContain("result");
});
