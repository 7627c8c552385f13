import type { Call } from "../../../kernel/calls/call.ts";
import { hasChosenId } from "../model/limits.ts";
import type { HistoryEntry, Ticket } from "../model/ticket.ts";
import { LocalTickets } from "./local-tickets.ts";
import type { TicketServices } from "./tickets.ts";

/** What is asked when a ticket is read. */
export type ReaderServices = Pick<TicketServices, "active"> & {
  guard: Pick<TicketServices["guard"], "hasReadHere" | "hasReadUntrusted">;
};

/** Reads a ticket for the caller. That it was read is recorded before its text is handed out. */
export async function readForCaller(
  { tickets, ...services }: ReaderServices & Pick<TicketServices, "tickets">,
  call: Call,
  id: string,
): Promise<Ticket> {
  const ticket = await tickets.get(id, { partly: true });
  await noteTicketRead(services, call, ticket);
  // What its checks found is told in words of the repository: names of files and tests, messages.
  if ((ticket.records?.verifications ?? []).length > 0) await call.noteUntrusted("repository");
  return ticket;
}

/**
 * The caller is about to be given a ticket. The first one that it reads is the one it works on; not if it has read text by others
 * before, of whatever kind: they, and not the person, may have chosen it.
 */
export async function noteTicketRead(
  { active, guard }: ReaderServices,
  call: Call,
  { id, foreign, dependsOn = [] }: Pick<Ticket, "id" | "foreign"> & Partial<Pick<Ticket, "dependsOn">>,
): Promise<void> {
  const { principal } = call;
  // A command has no connection: what the user's assistants have read counts.
  const hasRead = await (principal.instance === undefined
    ? guard.hasReadUntrusted(principal)
    : guard.hasReadHere(principal));
  if (!hasRead) active.noteRead(principal, id);
  if (foreign || hasChosenId(dependsOn)) await call.noteUntrusted();
}

/**
 * The caller is about to be given a ticket's history. On a team's server others are in it, with names and branches that they chose,
 * also where the ticket itself is the user's own text: a move adds nothing to that.
 */
export async function noteHistoryRead(
  { tickets }: Pick<TicketServices, "tickets">,
  call: Call,
  history: readonly Pick<HistoryEntry, "by">[],
): Promise<void> {
  if (tickets instanceof LocalTickets) return;
  if (history.some(({ by }) => by !== call.principal.name)) await call.noteUntrusted();
}
