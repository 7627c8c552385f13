import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { catalog } from "../../../src/app/catalog.ts";
import { openMcpHost } from "../../../src/app/local/mcp-host.ts";
import { Program } from "../../../src/app/local/program.ts";
import { resolveSettings } from "../../../src/app/settings/config.ts";
import { makeLists } from "../../../src/hosts/mcp/lists/lists.ts";
import { connectHost } from "../../../src/hosts/mcp/stdio/connect-host.ts";
import { Redactor } from "../../../src/kernel/text/redactor.ts";
import { findProject } from "../../../src/platform/state/project.ts";
import { rooms } from "../../../src/rooms.ts";
import type { CliProject } from "../cli/cli.ts";

/** An assistant in a process of its own, in a project that is used by commands too. */
export async function connectToProject({ root }: Pick<CliProject, "root">) {
  const { settings } = resolveSettings({ flags: { project: root }, env: {}, file: undefined });
  const place = { settings, project: findProject(root), cwd: root };
  const program = new Program({ ...place, redactor: new Redactor(), log: () => undefined, atKeyboard: false });
  onTestFinished(() => program.close());
  const toolsets = rooms.map(({ name }) => name);
  const lists = makeLists(catalog, { serverName: "forge", version: "0", toolsets, readOnly: false });
  const [near, far] = InMemoryTransport.createLinkedPair();
  connectHost(await openMcpHost({ program, toolsets, lists, readOnly: false }), far, () => undefined);
  const client = new Client({ name: "assistant", version: "1" }, { capabilities: {} });
  await client.connect(near);
  onTestFinished(() => client.close());
  return async (name: string, args: Record<string, unknown>) => {
    const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args });
    const [block] = content;
    const text = block?.type === "text" ? block.text : "";
    const value: Record<string, unknown> = isError ? JSON.parse(text) : (structuredContent ?? {});
    return { isError, value };
  };
}
