import { Writable } from "node:stream";
import type { Settings } from "../../src/app/settings/config.ts";
import type { App, OfferedPrompt, OfferedTool, OfferedToolset, ToolsetReport } from "../../src/commons/cli/app.ts";
import type { AttachedEnd } from "../../src/commons/cli/attached-end.ts";
import { type Io, runCli } from "../../src/hosts/cli/run-cli.ts";
import type { CallRecord, Progress } from "../../src/kernel/call.ts";
import { didYouMean } from "../../src/kernel/closest.ts";
import { ForgeError } from "../../src/kernel/errors.ts";
import type { PromptMessage } from "../../src/kernel/prompt.ts";
import { Redactor } from "../../src/kernel/redact.ts";
import type { ResourceContent } from "../../src/kernel/resource.ts";
import type { ServedTeam } from "../../src/rooms/access/remote/desk.ts";
import type { Finding } from "../../src/rooms/setup/doctor/index.ts";
import { MemoryPerson, project } from "./cli-person.ts";
import { MemoryAccess } from "./memory-access.ts";
import { MemoryDesk } from "./memory-desk.ts";
import { MemoryWorkbench } from "./memory-workbench.ts";

type Report = (progress: Progress) => void;

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
  project = () => project;
  person = new MemoryPerson();
  ask: App["ask"] = undefined;
  atKeyboard = false;
  terminal: App["terminal"] = undefined;
  editor: App["editor"] = undefined;
  /** Whether being ended by a signal would be a failure. */
  failsOnSignals = false;
  desk = new MemoryDesk();
  tickets = async () => this.desk;
  workbenchDesk = new MemoryWorkbench();
  workbench: App["workbench"] = async () => this.workbenchDesk;
  accessDesk = new MemoryAccess();
  access = async () => this.accessDesk;
  served: ServedTeam = {
    url: "http://127.0.0.1:7718",
    publicUrl: "http://127.0.0.1:7718",
    loginUrl: "http://127.0.0.1:7718",
    setupUrl: "http://127.0.0.1:7718/setup?code=abc",
  };
  setup: App["setup"] = async () => ({
    known: () => [],
    find: () => [],
    plan: () => ({ changes: [], remarks: [], apply: async () => undefined }),
    planRemoval: () => ({ changes: [], remarks: [], apply: async () => undefined }),
  });
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
  answer: (name: string, input: Record<string, unknown>, report?: Report) => unknown = () => ({});
  prompts: OfferedPrompt[] = [];
  resources: OfferedToolset["resources"] = [];
  resourceTemplates: OfferedToolset["resourceTemplates"] = [];
  messages: PromptMessage[] = [];
  content: ResourceContent & { mimeType: string } = { text: "{}", mimeType: "application/json" };
  input = "{}";
  /** What is in a file, where it is not `input`. */
  inputs: Record<string, string> = {};
  /** Files that were written, by name. */
  written: Record<string, string> = {};
  findings: Finding[] = [];
  newest = { newest: "1.2.3", isNewer: false };
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

  async openBrowser(url: string): Promise<boolean> {
    this.calls.push(["openBrowser", url]);
    return true;
  }

  async serveTeam(request: unknown, announce: Parameters<App["serveTeam"]>[1]): Promise<number> {
    this.calls.push(["serveTeam", request]);
    announce(this.served);
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

  async callTool(
    name: string,
    input: Record<string, unknown>,
    _signal: AbortSignal,
    report?: Report,
  ): Promise<unknown> {
    this.calls.push(["callTool", name, input]);
    return this.answer(name, input, report);
  }

  /** One toolset, made of `schemas`, `prompts` and `resources`. */
  get offer(): OfferedToolset[] {
    const tools = Object.keys(this.schemas).map((name) => this.#tool(name));
    const { prompts, resources, resourceTemplates } = this;
    return [{ name: "tickets", title: "Tickets", tools, prompts, resources, resourceTemplates }];
  }

  async describeTool(name: string): Promise<OfferedTool> {
    if (Object.hasOwn(this.schemas, name)) return this.#tool(name);
    throw new ForgeError("TOOL_NOT_FOUND", `There is no tool named ${name}.`, {
      suggestions: didYouMean(name, Object.keys(this.schemas)),
    });
  }

  #tool(name: string): OfferedTool {
    const annotations = { readOnlyHint: true, destructiveHint: false };
    return { name, title: `Title of ${name}`, ...this.toolInput(name), annotations };
  }

  async getPrompt(name: string, args: Record<string, string>): Promise<PromptMessage[]> {
    this.calls.push(["getPrompt", name, args]);
    return this.messages;
  }

  async readResource(uri: string): Promise<ResourceContent & { mimeType: string }> {
    this.calls.push(["readResource", uri]);
    return this.content;
  }

  async doctor(fix: boolean): Promise<Finding[]> {
    this.calls.push(["doctor", fix]);
    return this.findings;
  }

  async newestVersion(registry: string | undefined): Promise<{ newest: string; isNewer: boolean }> {
    this.calls.push(["newestVersion", registry]);
    return this.newest;
  }

  async readInput(file: string): Promise<string> {
    this.calls.push(["readInput", file]);
    return this.inputs[file] ?? this.input;
  }

  async writeOutput(file: string, text: string, { force }: { force: boolean }): Promise<void> {
    if (Object.hasOwn(this.written, file) && !force)
      throw new ForgeError("CONFLICT_ERROR", `${file} exists already.`, { suggestions: ["Give another name."] });
    this.written[file] = text;
  }

  failOnSignals(): void {
    this.failsOnSignals = true;
  }

  async launch(program: string, args: string[]): Promise<AttachedEnd> {
    this.calls.push(["launch", program, args]);
    return { code: 0 };
  }

  toolInput(name: string) {
    const schema = this.schemas[name];
    if (!schema) throw new Error(`no such tool: ${name}`);
    return schema;
  }
}

/** The program of a person at a terminal: they answer one question, then press Enter, and close what their editor shows. */
export function appAtTerminal(): MemoryApp {
  const app = new MemoryApp();
  const answers = ["An answer"];
  app.atKeyboard = true;
  app.ask = async () => answers.pop() ?? "";
  app.editor = {
    open: async (name, text) => ({
      path: `/tmp/${name}.md`,
      edit: async () => ({ code: 0 }),
      read: async () => text,
      exists: () => true,
      write: async () => undefined,
      layBeside: async (beside) => `/tmp/${beside}`,
      remove: async () => undefined,
    }),
  };
  return app;
}

export type Ran = { code: number; out: string; err: string; app: MemoryApp; settings: Settings | undefined };

type Given = Partial<Io> & { app?: MemoryApp; commands?: Parameters<typeof runCli>[3] };

/** As a shell would take the line apart: double quotes keep words together. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([word, quoted]) => quoted ?? word);
}

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
  const argv = typeof line === "string" ? wordsOf(line) : line;
  const whole: Io = {
    stdout,
    stderr,
    binary: "forge",
    env: {},
    settingsFile: undefined,
    redactor: new Redactor(),
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
