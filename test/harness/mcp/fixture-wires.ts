import { PassThrough } from "node:stream";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import type { McpHost } from "../../../src/hosts/mcp/mcp-host.ts";
import { connectHost } from "../../../src/hosts/mcp/stdio/connect-host.ts";
import { StdioConnection } from "../../../src/hosts/mcp/stdio/connection.ts";
import { bodyOf, wireError } from "../../../src/kernel/errors.ts";
import { eventually } from "../cli/processes.ts";
import { makeFixture } from "./fixture-host.ts";
import type { Json, WireMessage } from "./wire.ts";

/** Sends messages and returns everything received until the last request is answered. */
export type Wire = (messages: WireMessage[]) => Promise<WireMessage[]>;

/** The SDK alone, with nothing of ours in front. */
export const sdkWire: Wire = async (messages) => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const received: WireMessage[] = [];
  near.onmessage = (message) => void received.push(asOnTheWire(message));
  connectHost(makeFixture().host, far, () => undefined);
  await near.start();
  for (const message of messages) await near.send(asOnTheWire(message));
  await answered(messages, received);
  await near.close();
  return received;
};

/** The same SDK behind the front that stdio has. */
export const frontWire: Wire = async (messages) => {
  const front = openFront();
  for (const message of messages) front.send(message);
  await answered(messages, front.received);
  front.ending.abort();
  return front.received;
};

/** A connection with the test as its client. Its output can be slow, and opening services can fail for a while. */
export function openFront(fixture = makeFixture(), isReady: () => void = () => undefined) {
  const input = new PassThrough();
  const received: WireMessage[] = [];
  const ending = new AbortController();
  let enabled: ReadonlySet<string> = new Set();
  const reader = { isSlow: false, drained(): void {} };
  const connection = new StdioConnection({
    input,
    output: {
      write(text) {
        received.push(JSON.parse(text));
        return !reader.isSlow;
      },
      onDrain(listener) {
        reader.drained = listener;
      },
      onError: () => undefined,
      flush: async () => undefined,
    },
    lists: () => fixture.host.lists,
    enabled: () => enabled,
    async connect(transport) {
      isReady();
      ({ enabled } = connectHost(fixture.host, transport, () => undefined));
    },
    refusal: (error) => wireError(bodyOf(error, "reference"), String),
    warn: () => undefined,
    ending: ending.signal,
  });
  const send = (message: WireMessage) => void input.write(`${JSON.stringify(message)}\n`);
  return { ...fixture, input, received, ending, reader, connection, send };
}

/** Through text and back: in memory, messages have SDK markers and undefined members. */
function asOnTheWire<T>(message: T) {
  return JSON.parse(JSON.stringify(message));
}

async function answered(messages: WireMessage[], received: WireMessage[]): Promise<void> {
  const ids = messages.flatMap(({ id, method }) => (method && id !== undefined ? [id] : []));
  await eventually(`answers to ${JSON.stringify(messages)}`, () =>
    ids.every((id) => received.some((message) => !message.method && message.id === id)),
  );
}

/** A client that sends exactly the given messages, on the SDK alone. */
export async function rawClient(host: McpHost): Promise<(method: string, params: Json) => Promise<WireMessage>> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const waiting = new Map<unknown, (message: WireMessage) => void>();
  let nextId = 1;
  near.onmessage = (message) => {
    const received: WireMessage = asOnTheWire(message);
    if (!received.method) waiting.get(received.id)?.(received);
  };
  connectHost(host, far, () => undefined);
  await near.start();
  onTestFinished(() => near.close());
  return (method, params) =>
    new Promise((resolve) => {
      const id = nextId++;
      waiting.set(id, resolve);
      void near.send(asOnTheWire({ jsonrpc: "2.0", id, method, params }));
    });
}
