import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Leases } from "../src/commons/leases/index.ts";
import { Ledger } from "../src/commons/ledger/index.ts";
import { newRecord } from "../src/kernel/calls/new-record.ts";
import { localPrincipal } from "../src/kernel/principal.ts";
import { Redactor } from "../src/kernel/text/redactor.ts";
import { type Database, openDatabase } from "../src/platform/db/database.ts";
import { LocalTickets } from "../src/rooms/tickets/service/local-tickets.ts";
import type { Author, ImportedTicket } from "../src/rooms/tickets/service/tickets.ts";
import { migrations } from "../test/harness/db/all-migrations.ts";
import { sealMadeStore } from "./seal-made-store.ts";

const batch = 1000;

/** A project without git, with this many imported tickets. Returns the folder. */
export async function makeTickets(folder: string, count: number): Promise<string> {
  mkdirSync(folder);
  await withTickets(folder, async (tickets, database) => {
    await sealMadeStore(database, folder);
    await importTickets(tickets, count);
  });
  return folder;
}

export async function importTickets(tickets: LocalTickets, count: number): Promise<void> {
  for (let first = 1; first <= count; first += batch) {
    const numbers = Array.from({ length: Math.min(batch, count - first + 1) }, (_, index) => first + index);
    await tickets.import(importer(), numbers.map(ticket), "refuse");
  }
}

/** The tickets of a project, without a server. */
export async function withTickets<T>(
  folder: string,
  work: (tickets: LocalTickets, database: Database<unknown>) => Promise<T>,
): Promise<T> {
  const database = openDatabase<unknown>({ file: join(folder, ".forge", "forge.db") }, migrations);
  const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined });
  const tickets = new LocalTickets({ database, ledger, leases: new Leases(database) });
  try {
    return await work(tickets, database);
  } finally {
    await tickets.stop();
    await ledger.stop();
    await database.close();
  }
}

export function ticketId(number: number): string {
  return `T-${String(number).padStart(3, "0")}`;
}

/** All of the same size, so that answers are too. */
function ticket(number: number): ImportedTicket {
  const name = String(number).padStart(6, "0");
  const sentence = `Whoever signs out on one device stays signed in on the others, as support case ${name} tells. `;
  const document = {
    id: ticketId(number),
    title: `Sign out everywhere, case ${name}`,
    status: "READY",
    type: "feature",
    priority: "high",
    description: sentence.repeat(6),
    problemStatement: sentence.repeat(3),
    solution: sentence.repeat(5),
    acceptanceCriteria: Array.from({ length: 6 }, (_, index) => `Criterion ${index + 1}: ${sentence}`),
    fileChanges: Array.from({ length: 5 }, (_, index) => ({ path: `src/session/part-${index}.ts`, action: "modify" })),
  };
  return { document, source: "bench.json" };
}

export function importer(): Author {
  const principal = localPrincipal("ada", "bench");
  const begun = { id: randomUUID(), at: Date.now(), kind: "command", name: "import", effect: "add" } as const;
  return { principal, record: newRecord(principal, begun) };
}
