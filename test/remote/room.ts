import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { catalog } from "../../src/app/catalog.ts";
import { openMcpHost } from "../../src/app/local/mcp-host.ts";
import { Program, roomNamed } from "../../src/app/local/program.ts";
import { makeToolCalls } from "../../src/app/local/tool-calls.ts";
import { resolveSettings } from "../../src/app/settings/config.ts";
import type { ToolCalls } from "../../src/commons/cli/app.ts";
import { makeLists } from "../../src/hosts/mcp/lists/lists.ts";
import { connectHost } from "../../src/hosts/mcp/stdio/connect-host.ts";
import type { CallRecord } from "../../src/kernel/calls/call.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { findProject } from "../../src/platform/state/project.ts";
import type { TicketServices } from "../../src/rooms/tickets/service/tickets.ts";
import { rooms } from "../../src/rooms.ts";
import { CapturedStream } from "../harness/cli/cli.ts";
import type { Elicited } from "../harness/commons/guard.ts";
import { plainGit, writeFiles } from "../harness/git/git.ts";
import { makeRoomApp, runIn, type Typed } from "./room-app.ts";
import { normalised } from "./room-transcript.ts";

type Args = Record<string, unknown>;

export type Reply = { isError: boolean; value: Record<string, unknown> };

const toolsets = rooms.map(({ name }) => name);
const lists = makeLists(catalog, { serverName: "forge", version: "0", toolsets, readOnly: false });

/** The ticket room as its users see it: an assistant's tools, prompts and resources, and a person's commands. */
export class Room {
  readonly root = realpathSync.native(mkdtempSync(join(tmpdir(), "forge-room-")));
  readonly cwd = join(this.root, "shop");
  readonly home = join(this.root, "home");
  /** Every answer, in order, without what must differ between two runs. */
  readonly transcript: [unknown, unknown][] = [];
  readonly #isTeams: boolean;
  readonly #closing: (() => unknown)[] = [];
  #calls: ToolCalls | undefined;

  constructor(isTeams: boolean) {
    this.#isTeams = isTeams;
    for (const folder of [this.cwd, this.home]) mkdirSync(folder);
  }

  note(what: unknown, answer: unknown): void {
    this.transcript.push([normalised(what, this.root), normalised(answer, this.root)]);
  }

  git(...args: string[]): string {
    const { PATH = "" } = process.env;
    const date = "2026-01-31T12:00:00Z";
    const env = { PATH, HOME: this.home, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    return plainGit(this.cwd, ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], env);
  }

  /** Makes the project a repository with these files committed. */
  repository(files: Record<string, string>): void {
    this.git("init", "--quiet", "--initial-branch", "main");
    writeFiles(this.cwd, files);
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", "first");
  }

  /** A process of the program, as a client or a person starts it. */
  async start(atKeyboard: boolean): Promise<{ program: Program; close(): Promise<void> }> {
    const { settings } = resolveSettings({ flags: {}, env: {}, file: undefined });
    const redactor = new Redactor();
    const log = () => undefined;
    const project = findProject(this.cwd);
    const program = new Program({ settings, project, cwd: this.cwd, redactor, log, atKeyboard });
    const { pushSource } = (await program.services(roomNamed("tickets"))) as TicketServices;
    if ((pushSource.team !== undefined) !== this.#isTeams) throw new Error("the tickets are not where they should be");
    // Knows the user's name from here on.
    await program.openShared();
    return { program, close: () => program.close() };
  }

  /** An assistant in a process of its own, with a person who answers its questions where one is given. */
  async connect(name = "assistant", person?: (message: string) => Elicited): Promise<Assistant> {
    const { program, close } = await this.start(false);
    this.#closing.push(close);
    return this.serve(program, name, person);
  }

  /** An assistant on a process that runs already. */
  async serve(program: Program, name = "assistant", person?: (message: string) => Elicited): Promise<Assistant> {
    const host = await openMcpHost({ program, toolsets, lists, readOnly: false });
    const [near, far] = InMemoryTransport.createLinkedPair();
    connectHost(host, far, () => undefined);
    const client = new Client({ name, version: "1" }, { capabilities: person ? { elicitation: {} } : {} });
    if (person) client.setRequestHandler("elicitation/create", ({ params }) => person(params.message));
    await client.connect(near);
    this.#closing.push(() => client.close());
    return new Assistant(client, (what, answer) => this.note(what, answer));
  }

  /** A command in a process of its own, by default at a terminal. */
  async forge(line: string | string[], typed: Typed = {}) {
    const { program, close } = await this.start(typed.atKeyboard ?? true);
    const { app, written, asked } = makeRoomApp(program, this.cwd, typed);
    try {
      const stop = new AbortController();
      const [stdout, stderr] = [new WatchedStream(typed.until, stop), new WatchedStream(typed.until, stop)];
      const code = await runIn(app, line, { stdout, stderr, signal: stop.signal });
      const said = { code, out: stdout.text, err: stderr.text, written, asked };
      this.note(["forge", line], said);
      return said;
    } finally {
      await close();
    }
  }

  /** What is in the ledger when the assistants have ended. In which order it got there is not said: some entries wait. */
  async ledger(): Promise<Pick<CallRecord, "name" | "evidence">[]> {
    await this.leave();
    const { program, close } = await this.start(true);
    const stdout = new CapturedStream();
    const { signal } = new AbortController();
    const { app } = makeRoomApp(program, this.cwd, {});
    await runIn(app, "log --json --limit 1000", { stdout, stderr: new CapturedStream(), signal });
    await close();
    const entries = JSON.parse(stdout.text) as (CallRecord & { seq: number })[];
    const said = entries.map(({ seq: _, ...entry }) => JSON.stringify(normalised(entry, this.root)));
    this.note("ledger", said.sort());
    return entries;
  }

  /** All of its processes end. */
  async leave(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close();
    this.#calls = undefined;
  }

  /** What a command answers with --json. */
  async json<T = Record<string, unknown>>(line: string): Promise<T> {
    const { code, out, err } = await this.forge(`${line} --json`);
    if (code !== 0) throw new Error(`forge ${line} failed: ${err}${out}`);
    return JSON.parse(out) as T;
  }

  /** Changes a ticket by a process of the person's, without a word. */
  async retitle(id: string, title: string): Promise<void> {
    const calls = this.#calls ?? (await this.#openCalls());
    const { signal } = new AbortController();
    await calls.call("update_ticket", { ticketId: id, title }, { signal, command: "forge update" });
  }

  async #openCalls(): Promise<ToolCalls> {
    const { program, close } = await this.start(true);
    this.#closing.push(close);
    this.#calls = makeToolCalls(
      async () => program,
      () => undefined,
    );
    return this.#calls;
  }

  async close(): Promise<void> {
    await this.leave();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** An assistant's side of a connection. */
export class Assistant {
  readonly client: Client;
  readonly #note: (what: unknown, answer: unknown) => void;

  constructor(client: Client, note: (what: unknown, answer: unknown) => void) {
    this.client = client;
    this.#note = note;
  }

  readonly call = async (name: string, args: Args = {}): Promise<Reply> => {
    const result = await this.client.callTool({ name, arguments: args });
    const texts = result.content.map((block) => (block.type === "text" ? block.text : block.type));
    const isError = result.isError === true;
    const [text = ""] = texts;
    const value = (isError ? JSON.parse(text) : (result.structuredContent ?? {})) as Record<string, unknown>;
    this.#note([name, args], { isError, texts: texts.map(parsed), structured: result.structuredContent });
    return { isError, value };
  };

  /** The text of its one message, or what it was refused with. */
  async prompt(name: string, ticketId: string): Promise<string> {
    return this.#said([name, ticketId], async () => {
      const { messages } = await this.client.getPrompt({ name, arguments: { ticketId } });
      return messages.map(({ role, content }) => `${role}: ${content.type === "text" ? content.text : ""}`).join("\n");
    });
  }

  async read(uri: string): Promise<string> {
    return this.#said(["read", uri], async () => {
      const { contents } = await this.client.readResource({ uri });
      return contents.map((content) => ("text" in content ? content.text : "")).join("\n");
    });
  }

  async complete(ref: { prompt: string } | { uri: string }, value: string): Promise<string[]> {
    const argument = { name: "prompt" in ref ? "ticketId" : "id", value };
    const { completion } = await this.client.complete({
      ref: "prompt" in ref ? { type: "ref/prompt", name: ref.prompt } : { type: "ref/resource", uri: ref.uri },
      argument,
    });
    this.#note(["complete", ref, value], completion);
    return completion.values;
  }

  async #said(what: unknown, ask: () => Promise<string>): Promise<string> {
    const text = await ask().catch((error: unknown) => {
      const { message, code, data } = error as Error & { code?: unknown; data?: unknown };
      return JSON.stringify({ refused: message, code, data });
    });
    this.#note(what, parsed(text));
    return text;
  }
}

/** Output with somebody who reads it and presses Ctrl+C at a word. */
class WatchedStream extends CapturedStream {
  readonly #until: string | undefined;
  readonly #stop: AbortController;

  constructor(until: string | undefined, stop: AbortController) {
    super();
    this.#until = until;
    this.#stop = stop;
  }

  override _write(chunk: unknown, encoding: string, done: () => void): void {
    super._write(chunk, encoding, done);
    if (this.#until !== undefined && this.text.includes(this.#until)) this.#stop.abort();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
