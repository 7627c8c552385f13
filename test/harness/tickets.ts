import { onTestFinished } from "vitest";
import { Leases } from "../../src/commons/leases/index.ts";
import { Ledger } from "../../src/commons/ledger/index.ts";
import { Redactor } from "../../src/kernel/redact.ts";
import { migrations } from "../../src/migrations.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import type { Place } from "../../src/platform/db/types.ts";
import { LocalTickets } from "../../src/rooms/tickets/index.ts";

export { by } from "./caller.ts";

export type OpenTickets = { tickets: LocalTickets; ledger: Ledger };

/** Tickets in a store of their own, with its ledger; closed when the test is over. */
export function openTickets(place: Place, options: { now?: () => number; team?: string } = {}): OpenTickets {
  const database = openDatabase(place, migrations);
  const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined, timing: { poll: 20 } });
  const tickets = new LocalTickets({ database, ledger, leases: new Leases(database), ...options });
  onTestFinished(async () => {
    await tickets.stop();
    await ledger.stop();
    await database.close();
  });
  return { tickets, ledger };
}
