import { expect, test } from "vitest";
import * as z from "zod";
import { eventually } from "../../../test/harness/cli/processes.ts";
import { makeHost } from "../../../test/harness/mcp/fixture-host.ts";
import { Counter, type FixtureServices } from "../../../test/harness/mcp/fixture-toolset.ts";
import { openFront } from "../../../test/harness/mcp/fixture-wires.ts";
import { defineTool } from "../../kernel/definitions/tool.ts";
import type { Toolset } from "../../kernel/definitions/toolset.ts";

const who = defineTool({
  name: "who",
  title: "Who",
  description: "Says how the caller writes files.",
  effect: "read",
  input: z.object({}),
  output: z.object({ through_forge: z.boolean(), confined: z.boolean() }),
  run: async (_services: object, _input, { principal }) => ({
    through_forge: principal.writesThroughForge === true,
    confined: principal.isConfinedToProject === true,
  }),
});
const toolset: Toolset<FixtureServices> = {
  name: "workbench",
  title: "Workbench",
  guidance: "x",
  tools: [who],
  prompts: [],
  resources: [],
};

test.each([
  ["harness", true, false],
  ["codexter", true, false],
  ["claude-code", false, false],
  ["github-copilot-developer", false, false],
  ["Cursor", false, true],
  ["codex-mcp-client", false, true],
  ["gemini-cli-mcp-client", false, true],
  ["Visual Studio Code", false, true],
  ["Zed", false, true],
  ["Roo Code", false, true],
  ["Cline", false, true],
])(
  "a client named %s writes with Forge's tools: %s; reaches only the project's folder: %s",
  async (name, expected, confined) => {
    const front = openFront(makeHost([toolset], { counter: new Counter() }));
    const clientInfo = { name, version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    front.send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    front.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "who", arguments: {} } });
    await eventually("an answer", () => front.received.some(({ id }) => id === 2));
    front.ending.abort();
    expect(front.received.find(({ id }) => id === 2)?.result).toMatchObject({
      structuredContent: { through_forge: expected, confined },
    });
  },
);
