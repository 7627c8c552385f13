import { Writable } from "node:stream";
import type { Settings } from "../../src/config.ts";
import type { App, ToolsetReport } from "../../src/hosts/cli/app.ts";
import { type Io, runCli } from "../../src/hosts/cli/run-cli.ts";
import type { CallRecord } from "../../src/kernel/call.ts";

/** Keeps what is written, and can pretend to be a terminal. */
export class CapturedStream extends Writable {
  text = "";
  readonly isTTY: boolean;
  readonly columns: number;

  constructor({ isTTY = false, columns = 80 } = {}) {
    super({ decodeStrings: false });
    this.isTTY = isTTY;
    this.columns = columns;
  }

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}

const esc = "\x1b";
const colour = new RegExp(`${esc}\\[\\d+m`, "g");

export function withoutColours(text: string): string {
  return text.replaceAll(colour, "");
}

/** A program of its own, in memory: it does what the commands ask and remembers what that was. */
export class MemoryApp implements App {
  version = "1.2.3";
  built = ["tickets"];
  calls: unknown[][] = [];
  records: CallRecord[] = [];
  coming: CallRecord[] = [];
  reports: ToolsetReport[] = [
    {
      name: "tickets",
      title: "Tickets",
      served: true,
      reason: "always",
      tools: 4,
      prompts: 2,
      resources: 1,
      tokens: 812,
    },
    {
      name: "registry",
      title: "Registry",
      served: false,
      reason: "not built yet",
      tools: 0,
      prompts: 0,
      resources: 0,
      tokens: 0,
    },
  ];
  answer: (name: string, input: Record<string, unknown>) => unknown = () => ({});
  schemas: Record<string, { description: string; inputSchema: Record<string, unknown> }> = {
    get_repository_context: {
      description: "The repository's branch, changes and files. Call it before you edit anything.",
      inputSchema: {
        type: "object",
        properties: { path: { type: "string", maxLength: 4096, description: "Folder to look at" } },
        additionalProperties: false,
      },
    },
  };

  async serveStdio(...given: unknown[]): Promise<number> {
    this.calls.push(["serveStdio", ...given]);
    return 0;
  }

  async serveHttp(selection: unknown, address: string | undefined, announce: (url: string) => void): Promise<number> {
    this.calls.push(["serveHttp", selection, address]);
    announce("http://127.0.0.1:4000/mcp");
    return 0;
  }

  async up(selection: unknown, address: string | undefined, announce: Parameters<App["up"]>[2]): Promise<number> {
    this.calls.push(["up", selection, address]);
    announce({ url: "http://127.0.0.1:4000/", mcpUrl: "http://127.0.0.1:4000/mcp", project: "/home/ada/shop" });
    return 0;
  }

  async toolsets(selection: unknown): Promise<ToolsetReport[]> {
    this.calls.push(["toolsets", selection]);
    return this.reports;
  }

  async activity(filter: unknown): Promise<CallRecord[]> {
    this.calls.push(["activity", filter]);
    return this.records;
  }

  async *followActivity(filter: unknown): AsyncIterable<CallRecord> {
    this.calls.push(["followActivity", filter]);
    yield* this.coming;
  }

  async callTool(name: string, input: Record<string, unknown>): Promise<unknown> {
    this.calls.push(["callTool", name, input]);
    return this.answer(name, input);
  }

  toolInput(name: string) {
    const schema = this.schemas[name];
    if (!schema) throw new Error(`no such tool: ${name}`);
    return schema;
  }
}

export type Ran = { code: number; out: string; err: string; app: MemoryApp; settings: Settings | undefined };

type Given = Partial<Io> & { app?: MemoryApp; commands?: Parameters<typeof runCli>[3] };

/** Runs a command line against captured streams. */
export async function run(
  line: string | string[],
  { app = new MemoryApp(), commands, ...io }: Given = {},
): Promise<Ran> {
  const stdout = new CapturedStream();
  const stderr = new CapturedStream();
  let settings: Settings | undefined;
  const open = (resolved: Settings) => {
    settings = resolved;
    return app;
  };
  const argv = typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line;
  const whole: Io = {
    stdout,
    stderr,
    binary: "forge",
    env: {},
    settingsFile: undefined,
    signal: new AbortController().signal,
    ...io,
  };
  const code = await runCli(open, argv, whole, commands);
  const textOf = (stream: unknown) => (stream instanceof CapturedStream ? stream.text : "");
  return { code, out: textOf(whole.stdout), err: textOf(whole.stderr), app, settings };
}

export function callRecord(overrides: Partial<CallRecord> = {}): CallRecord {
  return {
    id: "call-1",
    at: Date.UTC(2026, 10, 1, 12),
    kind: "tool",
    name: "get_repository_context",
    effect: "read",
    principal: "local:ada",
    agent: "claude-code",
    about: ["file:src/main.ts"],
    outcome: "ok",
    code: undefined,
    durationMs: 12.4,
    evidence: [],
    committed: false,
    ...overrides,
  };
}
