import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { eventually } from "../../../../test/harness/cli/processes.ts";
import { listenHttp } from "../../../../test/harness/http/fixture-http.ts";
import { type ClientEra, connectClient, eras, makeClient, streamOpened } from "../../../../test/harness/mcp/client.ts";
import { makeHost } from "../../../../test/harness/mcp/fixture-host.ts";
import { Counter, type FixtureServices } from "../../../../test/harness/mcp/fixture-toolset.ts";
import { openFront, rawClient } from "../../../../test/harness/mcp/fixture-wires.ts";
import { type Json, stateless, textOf, type WireMessage } from "../../../../test/harness/mcp/wire.ts";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import type { Toolset } from "../../../kernel/definitions/toolset.ts";

const changed = "notifications/tools/list_changed";
const enable = "forge_enable_toolset";

const look = defineTool({
  name: "look",
  title: "Look",
  description: "Looks.",
  effect: "read",
  core: true,
  input: z.object({}),
  output: z.object({ seen: z.boolean() }),
  run: async (_services: FixtureServices) => ({ seen: true }),
});
const tool = (name: string, extra: Partial<typeof look> = {}) => {
  const { core: _, ...rest } = look;
  return defineTool({ ...rest, name, title: name, input: z.object({ deep: z.string().max(20).optional() }), ...extra });
};
const toolsetOf = (name: string, tools: Toolset<FixtureServices>["tools"]): Toolset<FixtureServices> => ({
  ...{ name, title: name, guidance: "For tests.", prompts: [], resources: [] },
  tools,
});

const board = toolsetOf("board", [look, tool("dig"), tool("bury", { effect: "add" })]);
const shelf = toolsetOf("shelf", [
  tool("read_shelf", { unlessClientHas: "file tools" }),
  tool("sort_shelf"),
  tool("secret_shelf", { unlisted: true }),
  tool("lock_shelf", { surfaces: ["cli"] }),
]);

const fixture = (options: { readOnly?: boolean; auto?: boolean } = {}) =>
  makeHost([board, shelf], { counter: new Counter() }, { auto: true, ...options });

/** What a server says, by name. */
const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);
const listed = async (client: Client) => names((await client.listTools()).tools);
const switchOn = (client: Client, toolset: string) =>
  client.callTool({ name: enable, arguments: { toolset } }).then(({ structuredContent }) => structuredContent as Json);

/** Counts what a client is told of its list of tools; on the stateless revision it asks to be told. */
async function hear(client: Client, era: ClientEra): Promise<{ count: number }> {
  const heard = { count: 0 };
  client.setNotificationHandler(changed, () => void heard.count++);
  if (era === "modern") await client.listen({ toolsListChanged: true });
  return heard;
}

describe.each(eras)("on stdio (%s)", (era) => {
  test("a toolset is listed once it is enabled, and the client is told so", async () => {
    const client = await connectClient(fixture().host, era);
    const heard = await hear(client, era);
    expect(await listed(client)).toEqual(["look", enable]);
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true });
    expect(client.getInstructions()).toContain("board (2 more tools), shelf (2 more tools)");
    const answer = await switchOn(client, "shelf");
    expect(answer).toEqual({
      toolset: "shelf",
      listed: true,
      tools: [
        { name: "read_shelf", description: "Looks." },
        { name: "sort_shelf", description: "Looks." },
      ],
    });
    await eventually("the news", () => heard.count > 0);
    expect(await listed(client)).toEqual(["look", enable, "read_shelf", "sort_shelf"]);
    await switchOn(client, "shelf");
    await switchOn(client, "board");
    await eventually("more news", () => heard.count > 1);
    expect(await listed(client)).toEqual(["look", enable, "bury", "dig", "read_shelf", "sort_shelf"]);
    // What came with the last answer has been heard by now: enabling it again was no news.
    expect(heard.count).toBe(2);
  });

  test("it lasts for the connection, and no other has it", async () => {
    const { host } = fixture();
    const [one, other] = [await connectClient(host, era), await connectClient(host, era)];
    await switchOn(one, "shelf");
    expect(await listed(one)).toContain("sort_shelf");
    expect(await listed(other)).toEqual(["look", enable]);
  });

  test("what is offered can be called although it is not listed", async () => {
    const client = await connectClient(fixture().host, era);
    for (const name of ["dig", "bury", "sort_shelf", "read_shelf", "secret_shelf"])
      expect((await client.callTool({ name, arguments: {} })).structuredContent, name).toEqual({ seen: true });
  });

  test("an unknown toolset is an error that names those there are", async () => {
    const client = await connectClient(fixture().host, era);
    for (const toolset of ["shelv", "toString", "__proto__", ""]) {
      const { isError, content } = await client.callTool({ name: enable, arguments: { toolset } });
      const [block] = content as { text: string }[];
      const error = JSON.parse(block?.text ?? "") as Json;
      expect(isError, toolset).toBe(true);
      expect(error, toolset).toMatchObject({ code: "VALIDATION_ERROR", details: { known: ["board", "shelf"] } });
      expect(error["suggestions"]).toContain("Use one of: board, shelf.");
    }
    const near = await client.callTool({ name: enable, arguments: { toolset: "shelv" } });
    expect(JSON.stringify(near.content)).toContain("Did you mean `shelf`?");
    for (const wrong of [{}, { toolset: 1 }, { toolset: "shelf", more: true }])
      expect((await client.callTool({ name: enable, arguments: wrong })).isError).toBe(true);
    expect(await listed(client)).toEqual(["look", enable]);
  });

  test("read-only, what changes anything is neither offered nor callable", async () => {
    const client = await connectClient(fixture({ readOnly: true }).host, era);
    expect(client.getInstructions()).toContain("board (1 more tool), shelf (2 more tools)");
    expect(await switchOn(client, "board")).toMatchObject({ tools: [{ name: "dig" }] });
    expect(await listed(client)).toEqual(["look", enable, "dig"]);
    await expect(client.callTool({ name: "bury", arguments: {} })).rejects.toThrow("Unknown tool: bury");
  });

  test("without auto everything is listed, and there is nothing to enable", async () => {
    const client = await connectClient(fixture({ auto: false }).host, era);
    expect(await listed(client)).toEqual(["bury", "dig", "look", "read_shelf", "sort_shelf"]);
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: false });
    await expect(switchOn(client, "shelf")).rejects.toThrow(`Unknown tool: ${enable}`);
  });

  test("each call is in the ledger", async () => {
    const { host, records } = fixture();
    await switchOn(await connectClient(host, era), "shelf");
    expect(records).toMatchObject([{ kind: "tool", name: enable, effect: "read", outcome: "ok" }]);
  });
});

describe("a client with file tools of its own", () => {
  const hello = (name: string): Json => ({
    ...{ protocolVersion: "2025-11-25", capabilities: {} },
    clientInfo: { name, version: "1" },
  });

  test.each([
    ["claude-code", ["sort_shelf"]],
    ["harness", ["read_shelf", "sort_shelf"]],
  ])("%s is listed, and told of, %j", async (client, tools) => {
    const send = await rawClient(fixture().host);
    await send("initialize", hello(client));
    const { result } = await send("tools/call", { name: enable, arguments: { toolset: "shelf" } });
    expect(names((result?.["structuredContent"] as { tools: { name: string }[] } | undefined)?.tools ?? [])).toEqual(
      tools,
    );
    const list = await send("tools/list", {});
    expect(names(list.result?.["tools"] as { name: string }[])).toEqual(["look", enable, ...tools]);
  });
});

describe("the front that answers lists before the SDK", () => {
  const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "harness", version: "1" } };

  /** Sends requests one after another; `params` as the era has them. */
  function openClient(era: ClientEra) {
    const front = openFront(fixture());
    onTestFinished(() => front.ending.abort());
    let id = 0;
    const ask = (method: string, params: Json = {}): Promise<WireMessage> => {
      const mine = ++id;
      front.send({ jsonrpc: "2.0", id: mine, method, params: era === "modern" ? stateless(params) : params });
      return eventually(`the answer to ${method}`, () =>
        front.received.find((message) => !message.method && message.id === mine),
      );
    };
    const start = async () => {
      if (era === "legacy") await ask("initialize", initialize);
      if (era === "legacy") front.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    };
    const list = async () => (await ask("tools/list")).result?.["tools"] as { name: string }[];
    return { front, ask, start, list };
  }

  test.each(eras)("lists what was enabled, as the SDK does (%s)", async (era) => {
    const { ask, start, list } = openClient(era);
    await start();
    expect(names(await list())).toEqual(["look", enable]);
    const answer = await ask("tools/call", { name: enable, arguments: { toolset: "shelf" } });
    expect(JSON.parse(textOf(answer))).toMatchObject({ toolset: "shelf", listed: true });
    const after = await list();
    expect(names(after)).toEqual(["look", enable, "read_shelf", "sort_shelf"]);
    const client = await connectClient(fixture().host, era);
    await switchOn(client, "shelf");
    expect(after).toEqual((await client.listTools()).tools);
  });

  test("an older client is told at once", async () => {
    const { front, ask, start } = openClient("legacy");
    await start();
    await ask("tools/call", { name: enable, arguments: { toolset: "shelf" } });
    await eventually("the news", () => front.received.some(({ method }) => method === changed));
  });

  test.each(eras)("A16 equal switches give equal bytes, in whatever order they came (%s)", async (era) => {
    const listAfter = async (...toolsets: string[]) => {
      const { ask, start, list } = openClient(era);
      await start();
      for (const toolset of toolsets) await ask("tools/call", { name: enable, arguments: { toolset } });
      return JSON.stringify(await list());
    };
    expect(await listAfter("shelf", "board")).toBe(await listAfter("board", "shelf", "board"));
    expect(await listAfter("shelf")).toBe(await listAfter("shelf"));
    expect(await listAfter("shelf")).not.toBe(await listAfter("board"));
    expect(await listAfter()).toBe(await listAfter());
  });
});

describe("over HTTP", () => {
  async function connect(url: string, era: ClientEra): Promise<Client> {
    const client = makeClient(era);
    const stream = era === "legacy" ? streamOpened() : undefined;
    await client.connect(new StreamableHTTPClientTransport(new URL(url), stream && { fetch: stream.fetch }));
    onTestFinished(() => client.close());
    await stream?.opened;
    return client;
  }

  test("in a session, a toolset is listed for that session, and its client is told so", async () => {
    const { mcpUrl } = await listenHttp(undefined, fixture());
    const [one, other] = [await connect(mcpUrl, "legacy"), await connect(mcpUrl, "legacy")];
    const [heard, others] = [await hear(one, "legacy"), await hear(other, "legacy")];
    expect(await switchOn(one, "shelf")).toMatchObject({ listed: true, tools: [{ name: "read_shelf" }, {}] });
    await eventually("the news", () => heard.count === 1);
    expect(await listed(one)).toEqual(["look", enable, "read_shelf", "sort_shelf"]);
    expect(await listed(other)).toEqual(["look", enable]);
    expect(others.count).toBe(0);
  });

  test("without sessions the list never changes: the answer has the schemas, and the tools can be called", async () => {
    const { mcpUrl, host } = await listenHttp(undefined, fixture());
    const client = await connect(mcpUrl, "modern");
    const before = JSON.stringify(await client.listTools());
    const answer = (await switchOn(client, "shelf")) as {
      listed: boolean;
      tools: { name: string; inputSchema: Json }[];
    };
    expect(answer.listed).toBe(false);
    expect(answer.tools).toEqual(
      host.lists.offered["shelf"]?.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
    for (const { name, inputSchema } of answer.tools) {
      expect(inputSchema["properties"]).toHaveProperty("deep");
      expect((await client.callTool({ name, arguments: { deep: "x" } })).structuredContent).toEqual({ seen: true });
    }
    expect(JSON.stringify(await client.listTools())).toBe(before);
    expect(JSON.stringify(await (await connect(mcpUrl, "modern")).listTools())).toBe(before);
  });

  test("a tool that is not for assistants is unknown everywhere", async () => {
    const { mcpUrl, host } = await listenHttp(undefined, fixture());
    const clients = [
      ...(await Promise.all(eras.map((era) => connect(mcpUrl, era)))),
      ...(await Promise.all(eras.map((era) => connectClient(host, era)))),
    ];
    for (const client of clients) {
      await switchOn(client, "shelf");
      expect(await listed(client)).not.toContain("lock_shelf");
      await expect(client.callTool({ name: "lock_shelf", arguments: {} })).rejects.toThrow("Unknown tool: lock_shelf");
    }
  });
});
