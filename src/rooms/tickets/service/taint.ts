import type { Call } from "../../../kernel/call.ts";
import type { Ticket } from "../model/ticket.ts";
import type { TicketServices } from "./tickets.ts";

type Opening = Pick<TicketServices, "tickets" | "work">;

/** A ticket on its way to the caller: that it was read is known before its text is theirs. */
export async function readForCaller({ tickets, work }: Opening, call: Call, id: string): Promise<Ticket> {
  const ticket = await tickets.get(id, { partly: true });
  work.noteRead(call.principal, ticket.id);
  if (ticket.foreign) await markTainted({ work }, call);
  return ticket;
}

/** The caller is about to be given what others wrote. */
export async function markTainted({ work }: Pick<Opening, "work">, call: Call): Promise<void> {
  work.noteForeign(call.principal);
  await call.noteUntrusted();
}
