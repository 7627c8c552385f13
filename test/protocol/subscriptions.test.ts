import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/cli/processes.ts";
import { listenHttp, makeHttp } from "../harness/http/fixture-http.ts";
import { connectClient, makeClient } from "../harness/mcp/client.ts";
import { fixtureServer } from "../harness/mcp/fixture-bundle.ts";
import { makeFixture } from "../harness/mcp/fixture-host.ts";
import { stateless } from "../harness/mcp/wire.ts";

const start = fixtureServer();
const uri = "forge://counter";
const updated = "notifications/resources/updated";

describe("changes of a watched resource reach who asked", () => {
  test("on stdio, by resources/subscribe, until unsubscribed", async () => {
    const program = start();
    await program.initialize();
    await program.call("bump");
    await program.request("resources/subscribe", { uri });
    await program.call("bump");
    await program.until("the change", () => program.notifications(updated).length === 1);
    expect(program.notifications(updated)[0]?.params).toEqual({ uri });
    await program.request("resources/unsubscribe", { uri });
    await program.call("bump");
    await program.request("ping");
    expect(program.notifications(updated)).toHaveLength(1);
  });

  test("on stdio, by subscriptions/listen, until cancelled", async () => {
    const program = start();
    const params = { notifications: { resourceSubscriptions: [uri, "forge://counters/3"] } };
    const id = program.ask("subscriptions/listen", stateless(params));
    await program.until(
      "the acknowledgement",
      () => program.notifications("notifications/subscriptions/acknowledged").length === 1,
    );
    await program.request("tools/call", stateless({ name: "bump", arguments: {} }));
    await program.until("both changes", () => program.notifications(updated).length === 2);
    expect(program.notifications(updated).map(({ params: change }) => change?.["uri"])).toEqual([
      uri,
      "forge://counters/3",
    ]);
    program.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    await program.request("tools/call", stateless({ name: "bump", arguments: {} }));
    expect(program.notifications(updated)).toHaveLength(2);
    expect(await program.finish()).toEqual({ code: 0, signal: null });
  });

  test("on stdio, by ever more subscriptions/listen: each that is cancelled makes room, and too many end nothing", async () => {
    const program = start();
    const acknowledged = () => program.notifications("notifications/subscriptions/acknowledged").length;
    const listen = async (uris: string[]) => {
      const count = acknowledged();
      const id = program.ask("subscriptions/listen", stateless({ notifications: { resourceSubscriptions: uris } }));
      await program.until("the acknowledgement", () => acknowledged() > count);
      return id;
    };
    const hundred = (from: number) => Array.from({ length: 100 }, (_, index) => `forge://counters/${from + index}`);
    const ids = [await listen(hundred(0)), await listen(hundred(100)), await listen(hundred(200))];
    for (const requestId of ids)
      program.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    // Refused: nothing of it is watched.
    const wrong = { ...stateless({ notifications: { resourceSubscriptions: hundred(300) } }), _meta: {} };
    expect((await program.request("subscriptions/listen", wrong)).error).toBeDefined();
    await listen([uri]);
    await program.request("tools/call", stateless({ name: "bump", arguments: {} }));
    await program.until("the change", () => program.notifications(updated).length === 1);
    expect(await program.finish()).toEqual({ code: 0, signal: null });
  });

  test("a resource that does not exist cannot be subscribed to", async () => {
    const program = start();
    await program.initialize();
    expect((await program.request("resources/subscribe", { uri: "forge://nothing" })).error?.code).toBe(-32602);
  });

  test("over HTTP, in a session", async () => {
    const { mcpUrl, runtime } = await listenHttp();
    const { client, changes } = await listener(mcpUrl, "legacy");
    await client.subscribeResource({ uri });
    await eventually("the change", async () => {
      await client.callTool({ name: "bump", arguments: {} });
      return changes.length > 0;
    });
    expect(changes[0]).toBe(uri);
    await client.close();
    expect(runtime.services.counter.watchers.size).toBeLessThanOrEqual(1);
  });

  test("over HTTP, by subscriptions/listen, each listener once, until the last has gone", async () => {
    const { mcpUrl, runtime } = await listenHttp();
    const { watchers } = runtime.services.counter;
    const listeners = await Promise.all([listener(mcpUrl, "modern"), listener(mcpUrl, "modern")]);
    const filter = { resourceSubscriptions: [uri, "forge://nothing"] };
    const [first, second] = await Promise.all(listeners.map(({ client }) => client.listen(filter)));
    expect(watchers.size).toBe(1);
    await listeners[0]?.client.callTool({ name: "bump", arguments: {} });
    await eventually("the change", () => listeners.every(({ changes }) => changes.length > 0));
    for (const { changes } of listeners) expect(changes).toEqual([uri]);
    await first?.close();
    await listeners[1]?.client.callTool({ name: "bump", arguments: {} });
    await eventually("another change", () => listeners[1]?.changes.length === 2);
    await second?.close();
    await eventually("the watch to end", () => watchers.size === 0);
  });

  test("over HTTP, a subscriptions/listen that is refused leaves nothing behind", async () => {
    const { app, runtime } = makeHttp();
    const params = stateless({
      notifications: { resourceSubscriptions: [uri] },
      _meta: { "io.modelcontextprotocol/clientCapabilities": 7 },
    });
    const response = await app.request("/mcp", {
      method: "POST",
      headers: {
        host: "localhost",
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "subscriptions/listen",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params }),
    });
    expect(response.status).toBe(400);
    expect(runtime.services.counter.watchers.size).toBe(0);
  });

  test("nobody is watched for once the connection has ended", async () => {
    const { host, runtime } = makeFixture();
    const { watchers } = runtime.services.counter;
    const client = await connectClient(host, "legacy");
    await client.subscribeResource({ uri });
    expect(watchers.size).toBe(1);
    await client.close();
    await eventually("the watch to end", () => watchers.size === 0);
  });
});

async function listener(url: string, era: "legacy" | "modern"): Promise<{ client: Client; changes: string[] }> {
  const client = makeClient(era);
  const changes: string[] = [];
  client.setNotificationHandler(updated, ({ params }) => void changes.push(params.uri));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  onTestFinished(() => client.close());
  return { client, changes };
}
