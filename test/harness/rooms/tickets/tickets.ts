import { onTestFinished } from "vitest";
import { Leases } from "../../../../src/commons/leases/index.ts";
import { Ledger } from "../../../../src/commons/ledger/index.ts";
import { localPrincipal } from "../../../../src/kernel/principal.ts";
import { Redactor } from "../../../../src/kernel/text/redactor.ts";
import { openDatabase } from "../../../../src/platform/db/database.ts";
import type { Place } from "../../../../src/platform/db/types.ts";
import { LocalTickets } from "../../../../src/rooms/tickets/service/local-tickets.ts";
import type { ImportedTicket } from "../../../../src/rooms/tickets/service/tickets.ts";
import { migrations } from "../../db/all-migrations.ts";

export { by, callOf } from "../../commons/caller.ts";

/** What a new ticket says. */
export const draft = {
  title: "Add logout",
  description: "A button in the header.",
  problemStatement: "Users cannot end a session.",
  acceptanceCriteria: ["The cookie is gone", "The page says so"],
  fileChanges: [{ path: "src/logout.ts", action: "create" as const }],
  priority: "high" as const,
  type: "feature" as const,
};

/** Two connections of one assistant, and the person at the terminal. */
export const one = localPrincipal("ada", "claude-code", "aaaaaaaa-1");
export const two = localPrincipal("ada", "claude-code", "bbbbbbbb-2");
export const person = { ...localPrincipal("ada", "forge"), atKeyboard: true as const };

/** A ticket as a file has it. */
export function file(document: Record<string, unknown>): ImportedTicket {
  return { document, source: "tickets.json" };
}

export type OpenTickets = { tickets: LocalTickets; ledger: Ledger };

/** Tickets in their own store, with a ledger; closed after the test. */
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
