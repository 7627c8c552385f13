import { expect, test } from "vitest";
import * as z from "zod";
import { eventually } from "../../../../test/harness/cli/processes.ts";
import { makeHost } from "../../../../test/harness/mcp/fixture-host.ts";
import { Counter, type FixtureServices } from "../../../../test/harness/mcp/fixture-toolset.ts";
import { openFront, rawClient } from "../../../../test/harness/mcp/fixture-wires.ts";
import { type Json, stateless, type WireMessage } from "../../../../test/harness/mcp/wire.ts";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import type { Toolset } from "../../../kernel/definitions/toolset.ts";

const look = defineTool({
  name: "look",
  title: "Look",
  description: "Looks.",
  effect: "read",
  core: true,
  input: z.object({}),
  output: z.object({ seen: z.boolean() }),
  run: async (_services: object) => ({ seen: true }),
});
const readFile = defineTool({ ...look, name: "read_file", title: "Read", unlessClientHas: "file tools" });
const toolset: Toolset<FixtureServices> = {
  name: "workbench",
  title: "Workbench",
  guidance: "x",
  tools: [look, readFile],
  prompts: [],
  resources: [],
};

const fixture = (auto: boolean) => makeHost([toolset], { counter: new Counter() }, { auto });

const initialize = (name: string, id = 1): WireMessage => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name, version: "1" } },
});
const listTools = (id: number, params?: Json): WireMessage => ({
  jsonrpc: "2.0",
  id,
  method: "tools/list",
  ...(params && { params }),
});
const named = (name: string): Json => {
  const { _meta } = stateless();
  return { _meta: { ...(_meta as Json), "io.modelcontextprotocol/clientInfo": { name, version: "1" } } };
};

const namesIn = (result: unknown) => (result as { tools: { name: string }[] }).tools.map(({ name }) => name);

/** What a client is shown on stdio, by the front that stands before the SDK. */
async function shown(messages: WireMessage[], auto = true): Promise<string[]> {
  const front = openFront(fixture(auto));
  for (const message of messages) front.send(message);
  const last = messages.at(-1)?.id;
  await eventually("an answer", () => front.received.some(({ id }) => id === last));
  front.ending.abort();
  return namesIn(front.received.find(({ id }) => id === last)?.result);
}

/** What the SDK alone shows. */
async function shownBySdk(method: (client: Awaited<ReturnType<typeof rawClient>>) => Promise<WireMessage>) {
  return namesIn((await method(await rawClient(fixture(true).host))).result);
}

const withTheirOwn = [
  "claude-code",
  "Claude Code",
  "Claude Code 2.1",
  "cursor-vscode",
  "CURSOR",
  "codex-mcp-client",
  "Codex",
  "gemini-cli-mcp-client",
  "Visual Studio Code",
  "vscode",
  "github-copilot-developer",
  "Windsurf",
  "windsurf-client",
  "Zed",
  "kiro",
  "Amazon Q",
  "Q DEV CLI",
  "Roo Code",
  "Cline",
  "@cline/core",
];
const without = [
  "claude-ai",
  "cursory",
  "codexes",
  "zedd",
  "room",
  "clinerval",
  "@cline/corex",
  "windsurfing",
  "harness",
  "my-claude-code",
  "",
];

test.each(withTheirOwn)("under auto, %s is not shown tools that it has itself", async (name) => {
  expect(await shown([initialize(name), listTools(2)])).toEqual(["look"]);
  expect(await shown([listTools(1, named(name))])).toEqual(["look"]);
});

test.each(without)("%j is shown all of them", async (name) => {
  expect(await shown([initialize(name), listTools(2)])).toEqual(["look", "read_file"]);
  expect(await shown([listTools(1, named(name))])).toEqual(["look", "read_file"]);
});

test("so is one that does not say who it is, and one that is served what was named", async () => {
  expect(await shown([listTools(1)])).toEqual(["look", "read_file"]);
  expect(await shown([initialize("claude-code"), listTools(2)], false)).toEqual(["look", "read_file"]);
});

test("the SDK shows what the front does, and a later handshake counts", async () => {
  const { params = {} } = initialize("Cursor");
  expect(
    await shownBySdk(async (send) => {
      await send("initialize", params);
      return send("tools/list", {});
    }),
  ).toEqual(["look"]);
  expect(await shownBySdk((send) => send("tools/list", named("codex")))).toEqual(["look"]);
  expect(await shown([initialize("harness"), initialize("cursor", 2), listTools(3)])).toEqual(["look"]);
});

test("what is not shown can be called all the same", async () => {
  const send = await rawClient(fixture(true).host);
  const { params = {} } = initialize("claude-code");
  await send("initialize", params);
  const { result } = await send("tools/call", { name: "read_file", arguments: {} });
  expect(result).toMatchObject({ structuredContent: { seen: true } });
});
