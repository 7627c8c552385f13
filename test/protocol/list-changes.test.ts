import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { describeToolset } from "../../src/hosts/mcp/lists/catalog.ts";
import { makeLists } from "../../src/hosts/mcp/lists/lists.ts";
import { eventually } from "../harness/cli/processes.ts";
import { listenHttp } from "../harness/http/fixture-http.ts";
import { type ClientEra, connectClient, eras, makeClient, streamOpened } from "../harness/mcp/client.ts";
import { makeFixture, served } from "../harness/mcp/fixture-host.ts";
import { fixtureToolset } from "../harness/mcp/fixture-toolset.ts";
import { openFront } from "../harness/mcp/fixture-wires.ts";
import type { WireMessage } from "../harness/mcp/wire.ts";

const changed = "notifications/tools/list_changed";
const onlyEcho = { ...fixtureToolset, tools: fixtureToolset.tools.filter(({ name }) => name === "echo") };
const listsAfter = makeLists([describeToolset(onlyEcho)], {
  serverName: "forge-fixture",
  version: "0.0.0",
  toolsets: [onlyEcho.name],
  readOnly: false,
  listChanged: true,
});

type Fixture = ReturnType<typeof makeFixture>;

const makeChanging = (): Fixture => makeFixture({ listChanged: true });
const change = ({ host, runtime }: Fixture) => host.change([served(onlyEcho, runtime)], listsAfter);

/** Counts by list what a client is told. */
function hearing(client: Client): { tools: number; others: number } {
  const heard = { tools: 0, others: 0 };
  client.setNotificationHandler(changed, () => void heard.tools++);
  for (const other of ["prompts", "resources"] as const)
    client.setNotificationHandler(`notifications/${other}/list_changed`, () => void heard.others++);
  return heard;
}

async function expectChange(client: Client, heard: { tools: number; others: number }): Promise<void> {
  await eventually("the news", () => heard.tools > 0);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["echo"]);
  await expect(client.callTool({ name: "bump", arguments: {} })).rejects.toThrow(/Unknown tool/);
  // What came with the last answer has been heard by now.
  expect(heard).toEqual({ tools: 1, others: 0 });
}

describe("a changed list of tools is announced once, and no other list", () => {
  test("on stdio, to an older client, by the front that answers for the lists", async () => {
    const fixture = makeChanging();
    const front = openFront(fixture);
    onTestFinished(() => front.ending.abort());
    const reply = (id: number) =>
      eventually(`the answer to ${id}`, () => front.received.find((message) => !message.method && message.id === id));
    const ask = (id: number, method: string, params = {}): Promise<WireMessage> => {
      front.send({ jsonrpc: "2.0", id, method, params });
      return reply(id);
    };
    const clientInfo = { name: "harness", version: "1" };
    const hello = await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    expect(hello.result?.["capabilities"]).toMatchObject({ tools: { listChanged: true } });
    front.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    await ask(2, "tools/call", { name: "bump", arguments: {} });
    change(fixture);
    await eventually("the news", () => front.received.some(({ method }) => method === changed));
    expect((await ask(3, "tools/list")).result?.["tools"]).toMatchObject([{ name: "echo" }]);
    expect((await ask(4, "tools/call", { name: "bump", arguments: {} })).error?.message).toContain("Unknown tool");
    const news = front.received.filter(({ method }) => method?.endsWith("/list_changed"));
    expect(news.map(({ method }) => method)).toEqual([changed]);
  });

  test.each(eras)("on stdio, to a client that waits for it (%s)", async (era) => {
    const fixture = makeChanging();
    let heard = { tools: 0, others: 0 };
    const client = await connectClient(fixture.host, era, {}, (made) => {
      heard = hearing(made);
    });
    await client.callTool({ name: "echo", arguments: { text: "x" } });
    await listenIfModern(client, era);
    change(fixture);
    await expectChange(client, heard);
  });

  test.each(eras)("over HTTP (%s)", async (era) => {
    const fixture = makeChanging();
    const { mcpUrl } = await listenHttp(undefined, fixture);
    const client = makeClient(era);
    const heard = hearing(client);
    const stream = era === "legacy" ? streamOpened() : undefined;
    await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), stream && { fetch: stream.fetch }));
    onTestFinished(() => client.close());
    await stream?.opened;
    await listenIfModern(client, era);
    change(fixture);
    await expectChange(client, heard);
  });

  test("a change that changes no list tells nobody", async () => {
    const fixture = makeChanging();
    let heard = { tools: 0, others: 0 };
    const client = await connectClient(fixture.host, "legacy", {}, (made) => {
      heard = hearing(made);
    });
    fixture.host.change([served(fixtureToolset, fixture.runtime)], fixture.lists);
    await client.ping();
    expect(heard).toEqual({ tools: 0, others: 0 });
  });
});

/** Clients of the stateless revision are told only what they ask for. */
async function listenIfModern(client: Client, era: ClientEra): Promise<void> {
  if (era === "modern") await client.listen({ toolsListChanged: true });
}
