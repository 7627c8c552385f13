import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { Guard, Seal } from "../../../src/commons/guard/index.ts";
import { type GuardTables, guardMigrations, markMigrations } from "../../../src/commons/guard/schema.ts";
import { Ledger, ledgerMigrations } from "../../../src/commons/ledger/index.ts";
import { connectHost } from "../../../src/hosts/mcp/stdio/connect-host.ts";
import { Redactor } from "../../../src/kernel/text/redactor.ts";
import { openDatabase } from "../../../src/platform/db/database.ts";
import type { Place } from "../../../src/platform/db/types.ts";
import { alone } from "../db/migrations.ts";
import type { ClientEra } from "../mcp/client.ts";
import { makeHost } from "../mcp/fixture-host.ts";
import { guardToolset } from "./guard-toolset.ts";

const migrations = alone(ledgerMigrations, guardMigrations, markMigrations);

/** A person's answer to a question, in the protocol's form. */
export type Elicited = { action: "accept" | "decline" | "cancel"; content?: Record<string, boolean> };

/** A home directory with the user's key; removed after the test. */
export function keyFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "forge-key-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "approvals.key");
}

/** The real guard, ledger, host and database with tools made for attacks. */
export function startGuarded(place: Place, options: { key?: string | undefined; now?: () => number } = {}) {
  const database = openDatabase<GuardTables>(place, migrations);
  const everything = database.forTables<unknown>();
  const redactor = new Redactor();
  const { now = Date.now } = options;
  const guard = new Guard({ database: everything, redactor, seal: new Seal(options.key ?? keyFile()), now });
  const ledger = new Ledger({ database: everything, redactor, log: () => undefined });
  const done: string[] = [];
  const { host, runtime } = makeHost([guardToolset], { guard, done });
  runtime.recorder = ledger;
  runtime.noteUntrusted = guard.noteUntrusted;
  onTestFinished(async () => {
    await ledger.stop();
    await database.close();
  });

  /** An SDK client; `answer`, if given, answers its questions. */
  async function connect(era: ClientEra, answer?: (message: string) => Elicited, name = "assistant") {
    const [near, far] = InMemoryTransport.createLinkedPair();
    connectHost(host, far, () => undefined);
    const client = new Client(
      { name, version: "1" },
      {
        capabilities: answer ? { elicitation: {} } : {},
        ...(era === "modern" && { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
      },
    );
    if (answer) client.setRequestHandler("elicitation/create", ({ params }) => answer(params.message));
    await client.connect(near);
    onTestFinished(() => client.close());
    return {
      client,
      read: () => client.callTool({ name: "read_ticket", arguments: {} }),
      async change(touches: string, content = ""): Promise<Changed> {
        const result = await client.callTool({ name: "change", arguments: { touches, content } });
        if (!result.isError) return { done: true };
        const [block] = result.content;
        const body = JSON.parse(block?.type === "text" ? block.text : "{}");
        return { done: false, code: body.code, message: body.message, approval: body.details?.approval };
      },
    };
  }

  /** What the ledger says of the calls that tried to change something. */
  async function audit(): Promise<string[]> {
    const entries = await ledger.latest({ name: "change" });
    return entries.map(({ about, outcome, code, evidence }) =>
      [...about, outcome, ...(code ? [code] : []), ...evidence].join(" "),
    );
  }

  return { database, guard, host, runtime, done, connect, audit };
}

export type Changed = { done: true } | { done: false; code: string; message: string; approval: string | undefined };
