import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { onTestFinished, vi } from "vitest";
import { catalog } from "../../../../src/app/catalog.ts";
import { openMcpHost } from "../../../../src/app/local/mcp-host.ts";
import { Program, roomNamed } from "../../../../src/app/local/program.ts";
import { makeToolCalls } from "../../../../src/app/local/tool-calls.ts";
import { resolveSettings } from "../../../../src/app/settings/config.ts";
import { TrustRecords } from "../../../../src/commons/trust/records.ts";
import { makeLists } from "../../../../src/hosts/mcp/lists/lists.ts";
import { connectHost } from "../../../../src/hosts/mcp/stdio/connect-host.ts";
import { newRecord } from "../../../../src/kernel/calls/new-record.ts";
import { localPrincipal } from "../../../../src/kernel/principal.ts";
import { Redactor } from "../../../../src/kernel/text/redactor.ts";
import { findProject } from "../../../../src/platform/state/project.ts";
import type { MemoryServices } from "../../../../src/rooms/memory/model/services.ts";

export type Answer = { isError: boolean; text: string; value: Record<string, never> };

export type MemoryServerOptions = {
  files?: Record<string, string>;
  env?: Record<string, string>;
  /** A project that exists already. */
  root?: string;
  /** What the project's folder is called. */
  name?: string;
  /** Whether the user has trusted the project. */
  isTrusted?: boolean;
};

/** The program on a project of its own, with a client of the SDK in memory. */
export async function startMemoryServer(given: MemoryServerOptions = {}) {
  const { files = {}, env = {}, root, name = "shop", isTrusted = false } = given;
  const folder = root === undefined ? realpathSync.native(mkdtempSync(join(tmpdir(), "forge-memory-"))) : dirname(root);
  if (root === undefined) onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [cwd, home] = [root ?? join(folder, name), join(folder, "home")];
  for (const made of [cwd, home]) mkdirSync(made, { recursive: true });
  const write = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  vi.stubEnv("HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const trust = () =>
    new TrustRecords(join(home, ".forge", "trust")).write({
      project: cwd,
      since: new Date().toISOString(),
      by: "ada",
      approved: {},
    });
  if (isTrusted) await trust();
  const { settings } = resolveSettings({ flags: {}, env, file: undefined });
  const logged: string[] = [];
  const log = (_level: string, message: string) => void logged.push(message);
  const options = { settings, project: findProject(cwd), cwd, redactor: new Redactor(), log };
  const open = (atKeyboard: boolean) => {
    const program = new Program({ ...options, atKeyboard });
    onTestFinished(() => program.close());
    return program;
  };
  const program = open(false);
  const lists = makeLists(catalog, {
    serverName: "bmad-mcp-server",
    version: "0",
    toolsets: ["memory"],
    readOnly: false,
  });
  const host = await openMcpHost({ program, toolsets: ["memory"], lists, readOnly: false });
  const connect = async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    connectHost(host, far, () => undefined);
    const client = new Client({ name: "assistant", version: "1" }, { capabilities: {} });
    await client.connect(near);
    onTestFinished(() => client.close());
    return client;
  };
  const client = await connect();
  const atKeyboard = open(true);
  const commands = makeToolCalls(
    async () => atKeyboard,
    () => undefined,
  );
  const { signal } = new AbortController();
  const call = async (tool: string, args: Record<string, unknown> = {}): Promise<Answer> => {
    // Another machine may have been started since.
    vi.stubEnv("HOME", home);
    const result = await client.callTool({ name: tool, arguments: args });
    const [block] = result.content;
    const text = block?.type === "text" ? block.text : "";
    const isError = result.isError === true;
    return { isError, text, value: (isError ? JSON.parse(text) : (result.structuredContent ?? {})) as never };
  };
  return {
    cwd,
    home,
    folder,
    client,
    connect,
    logged,
    program,
    write,
    trust,
    call,
    /** The result of a call that must succeed. */
    async ok<T = Record<string, unknown>>(tool: string, args: Record<string, unknown> = {}): Promise<T> {
      const { isError, value, text } = await call(tool, args);
      if (isError) throw new Error(text);
      return value as unknown as T;
    },
    /** The error of a call that must fail. */
    async fails(tool: string, args: Record<string, unknown> = {}) {
      const { isError, value, text } = await call(tool, args);
      if (!isError) throw new Error(`did not fail: ${text}`);
      return value as unknown as {
        code: string;
        message: string;
        details: Record<string, unknown>;
        suggestions?: string[];
      };
    },
    /** What a person's command calls, at a terminal. */
    command(tool: string, input: Record<string, unknown>) {
      vi.stubEnv("HOME", home);
      return commands.call(tool, input, { signal, command: "forge test" });
    },
    /** Puts programs of the test's own before those of the system. */
    usePrograms(programs: Record<string, string>): void {
      const bin = join(folder, "bin");
      mkdirSync(bin, { recursive: true });
      for (const [program, body] of Object.entries(programs)) {
        writeFileSync(join(bin, program), `#!/bin/sh\n${body}\n`);
        chmodSync(join(bin, program), 0o755);
      }
      vi.stubEnv("PATH", `${bin}:/bin:/usr/bin`);
    },
    services: async () => (await program.services(roomNamed("memory"))) as MemoryServices,
    store: () => program.store(),
  };
}

/** A call of the test's own, to store many memories at once. */
export function recordedCall() {
  const principal = localPrincipal("ada");
  const facts = { id: "flood", at: Date.now(), kind: "tool", name: "remember_structured", effect: "set" } as const;
  return { principal, record: newRecord(principal, facts) };
}
