import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { catalog } from "../../../src/app/catalog.ts";
import { openMcpHost } from "../../../src/app/local/mcp-host.ts";
import { Program } from "../../../src/app/local/program.ts";
import { resolveSettings } from "../../../src/app/settings/config.ts";
import { makeLists } from "../../../src/hosts/mcp/lists/lists.ts";
import { connectHost } from "../../../src/hosts/mcp/stdio/connect-host.ts";
import { Redactor } from "../../../src/kernel/text/redactor.ts";
import { findProject } from "../../../src/platform/state/project.ts";
import { CliProject } from "../cli/cli.ts";
import { makeClient } from "../mcp/client.ts";

const toolsets = ["governance"];
const lists = makeLists(catalog, { serverName: "forge", version: "0", toolsets, readOnly: false });

export type Reply = { isError: boolean; value: Record<string, unknown> };

/** A project with files, its command line, and assistants in processes of their own. */
export class GovernanceProject extends CliProject {
  /** A process of the program; several assistants can be connected to it. */
  async start(env: Record<string, string> = {}): Promise<Program> {
    const { settings } = resolveSettings({ flags: { project: this.root }, env, file: undefined });
    const place = { settings, project: findProject(this.root), cwd: this.root };
    const program = new Program({ ...place, redactor: new Redactor(), log: () => undefined, atKeyboard: false });
    onTestFinished(() => program.close());
    return program;
  }

  async connect(program?: Program): Promise<GovernanceAssistant> {
    const host = await openMcpHost({ program: program ?? (await this.start()), toolsets, lists, readOnly: false });
    const [near, far] = InMemoryTransport.createLinkedPair();
    connectHost(host, far, () => undefined);
    const client = makeClient("legacy");
    await client.connect(near);
    onTestFinished(() => client.close());
    return new GovernanceAssistant(client);
  }

  folder(path: string): void {
    mkdirSync(join(this.root, path), { recursive: true });
  }

  /** Commits everything there is. */
  commit(message = "change"): void {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message", message);
  }
}

/** A folder with the project `shop`, which has a contract. */
export async function openShop(): Promise<GovernanceProject> {
  const project = new GovernanceProject({ "stack.md": "# Stack\n" });
  await project.do("project create Shop --id shop");
  await project.do(`project contract put stack ${project.root}/stack.md --project shop`);
  return project;
}

export class GovernanceAssistant {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<Reply> {
    const { isError = false, structuredContent, content } = await this.client.callTool({ name, arguments: args });
    const [first] = content as { text?: string }[];
    const value = structuredContent ?? JSON.parse(first?.text ?? "{}");
    return { isError, value: value as Record<string, unknown> };
  }

  /** The same for a call that has to succeed. */
  async get(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { isError, value } = await this.call(name, args);
    if (isError) throw new Error(`${name} failed: ${JSON.stringify(value)}`);
    return value;
  }

  /** The error's body, of a call that has to fail. */
  async fail(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { isError, value } = await this.call(name, args);
    if (!isError) throw new Error(`${name} did not fail: ${JSON.stringify(value)}`);
    return value;
  }
}
