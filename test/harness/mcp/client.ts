import { Client, type ClientCapabilities, InMemoryTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import type { McpHost } from "../../../src/hosts/mcp/mcp-host.ts";
import { connectHost } from "../../../src/hosts/mcp/stdio/connect-host.ts";

export type ClientEra = "legacy" | "modern";

export const eras: ClientEra[] = ["legacy", "modern"];

/** A client that connects as older clients do, or one that requires the stateless revision. */
export function makeClient(era: ClientEra, capabilities: ClientCapabilities = {}): Client {
  return new Client(
    { name: "harness", version: "1" },
    { capabilities, ...(era === "modern" && { versionNegotiation: { mode: { pin: "2026-07-28" } } }) },
  );
}

/** The SDK's client on a host in memory, by the same path as stdio. Closed after the test. */
export async function connectClient(
  host: McpHost,
  era: ClientEra,
  capabilities: ClientCapabilities = {},
  prepare: (client: Client) => void = () => undefined,
): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  connectHost(host, far, () => undefined);
  const client = makeClient(era, capabilities);
  prepare(client);
  await client.connect(near);
  onTestFinished(() => client.close());
  return client;
}

/** Older clients are notified on a stream that they open some time after the handshake. */
export function streamOpened() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const fetchAndTell: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (init?.method === "GET") open();
    return response;
  };
  return { opened, fetch: fetchAndTell };
}
