import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Guard, Seal } from "../../../../src/commons/guard/index.ts";
import { Leases } from "../../../../src/commons/leases/index.ts";
import { Ledger } from "../../../../src/commons/ledger/index.ts";
import type { CallRecord } from "../../../../src/kernel/calls/call.ts";
import { complete } from "../../../../src/kernel/calls/complete.ts";
import {
  type Caller,
  getPrompt,
  type Outcome,
  type Runtime,
  readResource,
} from "../../../../src/kernel/calls/invoke.ts";
import { newRecord } from "../../../../src/kernel/calls/new-record.ts";
import type { Prompt } from "../../../../src/kernel/definitions/prompt.ts";
import { matchUri } from "../../../../src/kernel/definitions/resource.ts";
import { localPrincipal, type Principal } from "../../../../src/kernel/principal.ts";
import { Redactor } from "../../../../src/kernel/text/redactor.ts";
import { openDatabase } from "../../../../src/platform/db/database.ts";
import { Git } from "../../../../src/platform/git/git.ts";
import { resources } from "../../../../src/rooms/tickets/resources/resources.ts";
import { ActiveTickets } from "../../../../src/rooms/tickets/service/active-tickets.ts";
import { Guides } from "../../../../src/rooms/tickets/service/guides.ts";
import { LocalTickets } from "../../../../src/rooms/tickets/service/local-tickets.ts";
import type { Author, TicketServices } from "../../../../src/rooms/tickets/service/tickets.ts";
import { migrations } from "../../db/all-migrations.ts";
import { makeSandbox } from "../../git/git.ts";

type RoomServices = Omit<TicketServices, "pushSource">;

/**
 * The ticket room on a real store and real git, called as hosts call it; removed after the test. `files` are committed to
 * a repository; without them there is none.
 */
export function openTicketRoom(files?: Record<string, string>) {
  const sandbox = makeSandbox();
  const project = files ? sandbox.repository("project", files) : join(sandbox.root, "home");
  const database = openDatabase<unknown>({ file: join(sandbox.root, ".forge", "forge.db") }, migrations);
  const redactor = new Redactor();
  const ledger = new Ledger({ database, redactor, log: () => undefined });
  const leases = new Leases(database);
  const tickets = new LocalTickets({ database, ledger, leases });
  const active = new ActiveTickets();
  /** Ids of the principals that read text by others, in order. */
  const readers: string[] = [];
  const records: CallRecord[] = [];
  const services: RoomServices = {
    tickets,
    active,
    guard: new Guard({ database, redactor, seal: new Seal(join(sandbox.root, "approvals.key")) }),
    guides: new Guides(project, async () => true),
    git: new Git({ environment: sandbox.environment }),
    cwd: project,
    workbench: async () => undefined,
    proof: async () => undefined,
  };
  const runtime: Runtime<RoomServices> = {
    services,
    recorder: { open: async () => undefined, close: async (record) => void records.push({ ...record }) },
    redactor,
    newId: randomUUID,
    now: () => Date.now(),
    log: () => undefined,
    // The project is one that the user trusts.
    noteUntrusted: async ({ id }, from) => void (from === "others" && readers.push(id)),
  };
  onTestFinished(async () => {
    await tickets.stop();
    await ledger.stop();
    await database.close();
    sandbox.dispose();
  });

  const callerOf = (principal: Principal): Caller => ({
    principal,
    signal: new AbortController().signal,
    report: () => undefined,
    log: () => undefined,
    canAsk: () => false,
    ask: async () => ({}),
  });

  return {
    project,
    tickets,
    active,
    readers,
    records,
    /** The text of a prompt's only message; throws the body of an error. */
    async prompt(prompt: Prompt<RoomServices>, args: unknown, principal = ada): Promise<string> {
      const [message, ...others] = valueIn(await getPrompt(runtime, "tickets", prompt, args, callerOf(principal)));
      if (message?.role !== "user" || others.length > 0) throw new Error("a prompt of one user message was expected");
      return String(message.content["text"]);
    },
    async values(item: Prompt<RoomServices>, value: string): Promise<string[]> {
      const argument = { name: "ticketId", value };
      return valueIn(await complete(runtime, "tickets", item, argument, callerOf(ada)));
    },
    /** What a resource's address shows, parsed. */
    async read(uri: string): Promise<Record<string, unknown>> {
      const { resource, variables } = resourceAt(uri);
      const content = valueIn(await readResource(runtime, "tickets", resource, variables, callerOf(ada)));
      if (!("text" in content)) throw new Error("text was expected");
      return JSON.parse(content.text) as Record<string, unknown>;
    },
    watch(uri: string, changed: () => void): void {
      const stop = resourceAt(uri).resource.watch?.(services, uri, changed);
      if (!stop) throw new Error(`${uri} cannot be watched`);
      onTestFinished(stop);
    },
    async ids(typed: string): Promise<string[]> {
      const argument = { name: "id", value: typed };
      const { resource } = resourceAt("forge://tickets/x");
      return valueIn(await complete(runtime, "tickets", resource, argument, callerOf(ada)));
    },
  };
}

export const putBytes = (path: string, bytes: Uint8Array) => writeFileSync(path, bytes);

export const ada = localPrincipal("ada", "assistant", "connection-1");

/** A person's change, with its own ledger entry. */
export function byPerson(principal = ada): Author {
  const begun = { id: randomUUID(), at: Date.now(), kind: "command", name: "test", effect: "set" } as const;
  return { principal, record: newRecord(principal, begun) };
}

function resourceAt(uri: string) {
  for (const resource of resources) {
    const variables = matchUri(resource.uri, uri);
    if (variables) return { resource, variables };
  }
  throw new Error(`there is no resource at ${uri}`);
}

function valueIn<T>(outcome: Outcome<T>): T {
  if (outcome.kind === "value") return outcome.value;
  throw outcome.kind === "error" ? outcome.body : new Error("a question was not expected");
}
