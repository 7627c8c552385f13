import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { catalog } from "../../src/app/catalog.ts";
import { openMcpHost } from "../../src/app/local/mcp-host.ts";
import { Program } from "../../src/app/local/program.ts";
import { resolveSettings } from "../../src/app/settings/config.ts";
import { makeLists } from "../../src/hosts/mcp/lists/lists.ts";
import { isOn } from "../../src/kernel/definitions/tool.ts";
import { loadToolset } from "../../src/kernel/definitions/toolset.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { findProject } from "../../src/platform/state/project.ts";
import { rooms } from "../../src/rooms.ts";
import { listenHttp } from "../harness/http/fixture-http.ts";
import { connectClient, eras, makeClient } from "../harness/mcp/client.ts";
import { makeFixture } from "../harness/mcp/fixture-host.ts";

/** Every room of the program, served to assistants in a project of its own. */
async function serveAllRooms(auto: boolean) {
  const root = mkdtempSync(join(tmpdir(), "forge-person-only-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [cwd, home] = [join(root, "shop"), join(root, "home")];
  for (const folder of [cwd, home]) mkdirSync(folder);
  vi.stubEnv("HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { settings } = resolveSettings({ flags: {}, env: {}, file: undefined });
  const options = { settings, project: findProject(cwd), cwd, redactor: new Redactor(), log: () => undefined };
  const program = new Program({ ...options, atKeyboard: false });
  onTestFinished(() => program.close());
  const served = { toolsets: rooms.map(({ name }) => name), readOnly: false };
  const lists = makeLists(catalog, { ...served, serverName: "forge", version: "0", auto });
  return openMcpHost({ program, lists, ...served });
}

async function connectHttp(url: string, era: (typeof eras)[number]): Promise<Client> {
  const client = makeClient(era);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  onTestFinished(() => client.close());
  return client;
}

const toolsets = await Promise.all(rooms.map((room) => loadToolset(room)));
const tools = toolsets.flatMap(({ tools: all }) => all);
const personOnly = tools.filter((tool) => !isOn("mcp", tool)).map(({ name }) => name);

test.each([true, false])(
  "a tool that only a person may use is unknown over MCP, listed or not (auto: %s)",
  async (auto) => {
    const host = await serveAllRooms(auto);
    const { mcpUrl } = await listenHttp(undefined, { ...makeFixture(), host });
    const clients = [
      ...(await Promise.all(eras.map((era) => connectClient(host, era)))),
      ...(await Promise.all(eras.map((era) => connectHttp(mcpUrl, era)))),
    ];
    for (const client of clients) {
      for (const toolset of Object.keys(host.lists.offered))
        await client.callTool({ name: "forge_enable_toolset", arguments: { toolset } });
      const listed = (await client.listTools()).tools.map(({ name }) => name);
      expect(listed.filter((name) => personOnly.includes(name))).toEqual([]);
      for (const name of personOnly)
        await expect(client.callTool({ name, arguments: {} }), name).rejects.toThrow(`Unknown tool: ${name}`);
    }
  },
);

test("every other tool is known, listed or not", async () => {
  const client = await connectClient(await serveAllRooms(true), "legacy");
  const known = tools.filter((tool) => isOn("mcp", tool)).map(({ name }) => name);
  expect(known.length).toBeGreaterThan(20);
  // Refused for what it is given, and not for its name.
  for (const name of known)
    expect((await client.callTool({ name, arguments: { no_such_argument: true } })).isError, name).toBe(true);
});
