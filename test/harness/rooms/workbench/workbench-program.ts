import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CallToolResult, Client, Progress } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished } from "vitest";
import { makeSandbox } from "../../git/git.ts";
import { type ClientEra, makeClient } from "../../mcp/client.ts";
import type { Json, WireMessage } from "../../mcp/wire.ts";

export const forgeProgram = join(import.meta.dirname, "..", "..", "..", "..", "bin", "forge.cjs");

export type WorkbenchProject = ReturnType<typeof makeWorkbenchProject>;

/** A user's repository with its own home directory; removed after the test. */
export function makeWorkbenchProject(files: Record<string, string>) {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const cwd = sandbox.repository("project", files);
  const env = sandbox.environment;
  const git = (...args: string[]) => sandbox.git(cwd, ...args).trimEnd();
  return {
    sandbox,
    cwd,
    env,
    git,
    branches: () => git("branch", "--format=%(refname:short)").split("\n"),
    workTrees: () => git("worktree", "list", "--porcelain").match(/^worktree .*/gm) ?? [],
    has: (name: string, folder = cwd) => existsSync(join(folder, name)),
    text: (name: string, folder = cwd) => readFileSync(join(folder, name), "utf8"),
    /** A command as the person types it; its output. */
    forge(...args: string[]): string {
      const { status, stdout, stderr } = spawnSync(process.execPath, [forgeProgram, ...args], {
        cwd,
        env,
        encoding: "utf8",
      });
      expect(status, `forge ${args.join(" ")}: ${stderr}`).toBe(0);
      return stdout;
    },
  };
}

type AskOptions = { signal?: AbortSignal; meta?: Json };

/** A message to or from the server, unchanged. */
type Heard = WireMessage & { direction: "in" | "out" };

/** A client of the SDK that starts the built program itself, as assistants do, and keeps every message. */
export class Assistant {
  readonly client: Client;
  readonly heard: Heard[];
  readonly pid: number;

  private constructor(client: Client, heard: Heard[], pid: number) {
    this.client = client;
    this.heard = heard;
    this.pid = pid;
  }

  static async start(
    { cwd, env }: Pick<WorkbenchProject, "cwd" | "env">,
    era: ClientEra,
    args = ["mcp", "--profile", "workbench"],
  ): Promise<Assistant> {
    const client = makeClient(era);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [forgeProgram, ...args],
      cwd,
      env,
      stderr: "pipe",
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const assistant = new Assistant(client, [], transport.pid ?? 0);
    assistant.#listenTo(transport);
    // The answers of tools whose schemas are known are checked against them by the client.
    await client.listTools();
    return assistant;
  }

  #listenTo(transport: StdioClientTransport): void {
    const deliver = transport.onmessage;
    transport.onmessage = (message) => {
      this.heard.push({ ...(message as WireMessage), direction: "in" });
      deliver?.(message);
    };
    const send = transport.send.bind(transport);
    transport.send = (message) => {
      this.heard.push({ ...(message as WireMessage), direction: "out" });
      return send(message);
    };
  }

  async result(name: string, args: Json, { signal, meta }: AskOptions = {}): Promise<CallToolResult> {
    const onprogress = (_step: Progress) => undefined;
    const params = { name, arguments: args, ...(meta && { _meta: meta }) };
    return (await this.client.callTool(params, {
      onprogress,
      timeout: 120_000,
      ...(signal && { signal }),
    })) as CallToolResult;
  }

  /** The structured answer, which is the text as well. */
  async ok(name: string, args: Json = {}, options: AskOptions = {}): Promise<Json> {
    const { isError, structuredContent, content } = await this.result(name, args, options);
    const [text] = content;
    if (isError) throw new Error(`${name}: ${text?.type === "text" ? text.text : ""}`);
    expect(text?.type === "text" && JSON.parse(text.text)).toEqual(structuredContent);
    return structuredContent as Json;
  }

  /** The body of the error. */
  async refused(name: string, args: Json = {}): Promise<Json> {
    return errorOf(await this.result(name, args));
  }

  notifications(method: string): Heard[] {
    return this.heard.filter((message) => message.method === method);
  }

  /** Every call of a tool so far: the progress it was told, and what came after its answer. */
  progressOfCalls(): { name: string; steps: Json[]; late: Json[] }[] {
    return this.heard.flatMap((asked, index) => {
      if (asked.direction !== "out" || asked.method !== "tools/call") return [];
      const token = (asked.params?.["_meta"] as Json | undefined)?.["progressToken"];
      const later = this.heard.slice(index + 1);
      const answered = later.findIndex(({ direction, method, id }) => direction === "in" && !method && id === asked.id);
      const of = (messages: Heard[]) =>
        messages.flatMap(({ method, params }) =>
          method === "notifications/progress" && params && params["progressToken"] === token ? [params] : [],
        );
      return [
        {
          name: String(asked.params?.["name"]),
          steps: of(answered < 0 ? later : later.slice(0, answered)),
          late: answered < 0 ? [] : of(later.slice(answered)),
        },
      ];
    });
  }

  async subscribe(uri: string, era: ClientEra): Promise<void> {
    if (era === "legacy") {
      await this.client.subscribeResource({ uri });
      return;
    }
    const stop = await this.client.listen({ resourceSubscriptions: [uri] });
    // Before the client is closed: what is registered later ends first.
    onTestFinished(() => stop.close());
  }

  /** How often a subscriber was told of a resource. */
  updatesOf(uri: string): number {
    return this.notifications("notifications/resources/updated").filter(({ params }) => params?.["uri"] === uri).length;
  }
}

export function errorOf({ isError, structuredContent, content }: CallToolResult): Json {
  expect(isError, JSON.stringify(structuredContent)).toBe(true);
  const [text] = content;
  return (structuredContent ?? JSON.parse(text?.type === "text" ? text.text : "{}")) as Json;
}
