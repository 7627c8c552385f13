import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { loadMigrations } from "../../../../src/app/migrations.ts";
import { Leases } from "../../../../src/commons/leases/index.ts";
import { Ledger } from "../../../../src/commons/ledger/index.ts";
import { Redactor } from "../../../../src/kernel/text/redactor.ts";
import { openDatabase } from "../../../../src/platform/db/database.ts";
import { LocalTickets } from "../../../../src/rooms/tickets/service/local-tickets.ts";
import { by } from "../../commons/caller.ts";
import { integrityFaults } from "../integrity-faults.ts";
import type { Ending, SweepRow } from "./sweep-rows.ts";

const fileOf = (folder: string) => join(folder, "root", ".forge", "forge.db");

async function withTickets<T>(folder: string, work: (tickets: LocalTickets, ledger: Ledger) => Promise<T>): Promise<T> {
  const database = openDatabase({ file: fileOf(folder) }, await loadMigrations());
  const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined });
  try {
    return await work(new LocalTickets({ database, ledger, leases: new Leases(database) }), ledger);
  } finally {
    await ledger.stop();
    await database.close();
  }
}

/** Whichever call failed: the ticket is old or new, as reported, and so are its history, search words and ledger entry. */
export const ticketUpdate: SweepRow = {
  name: "ticket-update",
  async prepare(folder) {
    for (const name of ["root", "warm/root"]) mkdirSync(join(folder, name), { recursive: true });
    await withTickets(folder, async (tickets) => void (await tickets.create(by(), { title: "Old title" })));
  },
  warmUp: (folder) => withTickets(join(folder, "warm"), async (tickets) => void (await tickets.list({}))),
  run: (folder) =>
    withTickets(folder, async (tickets) => void (await tickets.update(by(), "T-001", { title: "New title" }))),
  async faults(folder, ending) {
    const faults = await withTickets(folder, (tickets, ledger) => ticketFaults(tickets, ledger, ending));
    return [...faults, ...integrityFaults(fileOf(folder))];
  },
  async repeat(folder) {
    await withTickets(folder, async (tickets) => void (await tickets.update(by(), "T-001", { title: "New title" })));
  },
};

async function ticketFaults(tickets: LocalTickets, ledger: Ledger, ending: Ending): Promise<string[]> {
  const { title, revision } = await tickets.get("T-001");
  const isNew = title === "New title";
  const changes = (await tickets.history("T-001")).filter(({ kind }) => kind === "updated").length;
  const entries = (await ledger.latest({ about: "ticket:T-001" })).length;
  const found = (await tickets.list({ text: "new" })).tickets.length;
  const faults: string[] = [];
  if (!isNew && title !== "Old title") faults.push(`the title is "${title}"`);
  if (ending.outcome === "done" && !isNew) faults.push("done was said, and the ticket is old");
  if (ending.outcome === "refused" && isNew && !ending.made) faults.push("refused was said, and the ticket is new");
  if (revision !== (isNew ? 2 : 1)) faults.push(`the revision is ${revision}`);
  if (changes !== (isNew ? 1 : 0)) faults.push(`the history has ${changes} changes`);
  if (entries !== (isNew ? 2 : 1)) faults.push(`the ledger has ${entries} entries of the ticket`);
  if (found !== (isNew ? 1 : 0)) faults.push("the search does not find what the ticket says");
  return faults;
}
