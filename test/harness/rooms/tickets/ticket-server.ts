import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { onTestFinished, vi } from "vitest";
import { catalog } from "../../../../src/app/catalog.ts";
import { openMcpHost } from "../../../../src/app/local/mcp-host.ts";
import { Program, roomNamed } from "../../../../src/app/local/program.ts";
import { makeToolCalls } from "../../../../src/app/local/tool-calls.ts";
import { resolveSettings } from "../../../../src/app/settings/config.ts";
import { TrustEditor } from "../../../../src/commons/trust/trust-editor.ts";
import { makeLists } from "../../../../src/hosts/mcp/lists/lists.ts";
import { connectHost } from "../../../../src/hosts/mcp/stdio/connect-host.ts";
import { Redactor } from "../../../../src/kernel/text/redactor.ts";
import { Git } from "../../../../src/platform/git/git.ts";
import { findProject } from "../../../../src/platform/state/project.ts";
import type { TicketServices } from "../../../../src/rooms/tickets/service/tickets.ts";
import { rooms } from "../../../../src/rooms.ts";
import type { Elicited } from "../../commons/guard.ts";
import { plainGit } from "../../git/git.ts";
import type { ClientEra } from "../../mcp/client.ts";

type Person = (message: string) => Elicited;

type Answer = { isError: boolean; text: string; structured: Record<string, unknown>; body: Record<string, unknown> };

/** The program in its own project, for clients in memory. */
export async function startTicketServer({ git = false } = {}) {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), "forge-tickets-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [cwd, home] = [join(root, "shop"), join(root, "home")];
  for (const folder of [cwd, home]) mkdirSync(folder);
  vi.stubEnv("HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home };
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const runGit = (...args: string[]) => plainGit(cwd, [...identity, ...args], environment);
  if (git) runGit("init", "--quiet", "--initial-branch", "main");
  const { settings } = resolveSettings({ flags: {}, env: {}, file: undefined });
  const options = { settings, project: findProject(cwd), cwd, redactor: new Redactor(), log: () => undefined };
  const open = (atKeyboard: boolean) => {
    const program = new Program({ ...options, atKeyboard });
    onTestFinished(() => program.close());
    return program;
  };
  const program = open(false);
  const toolsets = rooms.map(({ name }) => name);
  const lists = makeLists(catalog, { serverName: "forge", version: "0", toolsets, readOnly: false });
  const host = await openMcpHost({ program, toolsets, lists, readOnly: false });

  /** An SDK client with its own connection; `person`, if given, answers its questions. */
  async function connect({
    era = "modern" as ClientEra,
    name = "assistant",
    person,
  }: {
    era?: ClientEra;
    name?: string;
    person?: Person;
  } = {}) {
    const [near, far] = InMemoryTransport.createLinkedPair();
    connectHost(host, far, () => undefined);
    const client = new Client(
      { name, version: "1" },
      {
        capabilities: person ? { elicitation: {} } : {},
        ...(era === "modern" && { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
      },
    );
    if (person) client.setRequestHandler("elicitation/create", ({ params }) => person(params.message));
    await client.connect(near);
    onTestFinished(() => client.close());
    return { client, call: (tool: string, args: Record<string, unknown> = {}) => callTool(client, tool, args) };
  }

  const { signal } = new AbortController();
  const services = (await program.services(roomNamed("tickets"))) as TicketServices;
  const { ledger } = await program.store();
  const atKeyboard = open(true);
  const callsOf = (from: Program) =>
    makeToolCalls(
      async () => from,
      () => undefined,
    );
  const callFrom = (from: Program) => {
    const calls = callsOf(from);
    return (tool: string, input: Record<string, unknown>) => calls.call(tool, input, { signal, command: "forge test" });
  };
  return {
    ...services,
    cwd,
    git: runGit,
    program,
    host,
    connect,
    /** What a person's command calls, at a terminal. */
    command: callFrom(atKeyboard),
    /** The same in a script, which may be an assistant's. */
    script: callFrom(program),
    /** What `forge prompt` gives to a script. */
    printPrompt: (name: string, args: Record<string, string>) => callsOf(program).prompt(name, args, signal),
    /** The user trusts the project. */
    async trust() {
      const editor = new TrustEditor({ git: new Git({ environment }) });
      await editor.grant(await editor.state(cwd, signal), "ada");
    },
    /** The person at a terminal, who gives commands. */
    person: atKeyboard.caller(signal).principal,
    services,
    ledger,
  };
}

async function callTool(client: Client, name: string, args: Record<string, unknown>): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args });
  const [block] = result.content;
  const text = block?.type === "text" ? block.text : "";
  const isError = result.isError === true;
  return {
    isError,
    text,
    structured: (result.structuredContent ?? {}) as Record<string, unknown>,
    body: isError ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}
